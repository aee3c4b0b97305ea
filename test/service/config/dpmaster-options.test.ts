import { expect } from 'chai';
import { complaintOf, configOf } from './config-of.ts';

describe('the options of dpmaster', () => {
  const port = { GSLS_DPMASTER_PORT: '27950' };

  it('are off by default', () => {
    const { dpmasterPort, dpmasterHost, dpmasterGames } = configOf({});
    expect([dpmasterPort, dpmasterHost, dpmasterGames]).to.deep.equal([
      undefined,
      ['0.0.0.0', '::'],
      { is: 'but', names: [] },
    ]);
  });

  it('name addresses, games and their properties', () => {
    const environment = {
      ...port,
      GSLS_DPMASTER_HOST: '192.0.2.1, 2001:db8::1',
      GSLS_DPMASTER_GAMES: 'Quake3Arena,Xonotic',
      GSLS_DPMASTER_PROPERTIES:
        'Warsow heartbeat=Warsow protocols=10,-11; Ended flatline=Bye options=send-full-servers',
    };
    expect(configOf({ environment })).to.deep.include({
      dpmasterPort: 27_950,
      dpmasterHost: ['192.0.2.1', '2001:db8::1'],
      dpmasterGames: { is: 'only', names: ['Quake3Arena', 'Xonotic'] },
      dpmasterProperties: [
        { name: 'Warsow', heartbeat: 'Warsow', protocols: [10, -11] },
        { name: 'Ended', flatline: 'Bye', sendsEmpty: false, sendsFull: true },
      ],
    });
    const but = { ...port, GSLS_DPMASTER_GAMES: '!Spam, !Other' };
    expect(configOf({ environment: but }).dpmasterGames).to.deep.equal({
      is: 'but',
      names: ['Spam', 'Other'],
    });
    const all = { ...port, GSLS_DPMASTER_GAMES: 'all' };
    expect(configOf({ environment: all }).dpmasterGames).to.deep.equal({ is: 'but', names: [] });
  });

  it('are refused without their port, and with a key', () => {
    for (const [name, text] of Object.entries({ Host: '::1', Games: 'et', Properties: 'a heartbeat=b' }))
      expect(complaintOf({ flags: { [`dpmaster${name}`]: [text] } })).to.equal(
        `--dpmaster-${name.toLowerCase()} needs --dpmaster-port, the port that it is for`,
      );
    expect(complaintOf({ flags: { dpmasterPort: ['27950'], key: ['secret'] } })).to.match(
      /^--dpmaster-port cannot be used with --key or --key-file/,
    );
  });
});

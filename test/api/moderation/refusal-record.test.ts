import { expect } from 'chai';
import { RefusalRecord } from '../../../src/api/moderation/refusal-record.ts';

const addressOf = (i: number): string => `10.0.${i >> 8}.${i & 255}`;

describe('the record of refusals', () => {
  it('counts by code and network, with the time of the last', () => {
    let now = 0;
    const record = new RefusalRecord(() => (now += 1));
    record.note('banned', '2001:db8::1');
    record.note('banned', '2001:db8::2');
    record.note('unauthorized', '2001:db8::1');
    record.note('banned', '2001:db8:0:1::1');
    expect(record.of('2001:db8::ffff')).to.deep.equal([
      { code: 'banned', count: 2, at: 2 },
      { code: 'unauthorized', count: 1, at: 3 },
    ]);
    expect(record.of('203.0.113.7')).to.deep.equal([]);
  });

  it('has no errors of the service, and none of clients that are unknown', () => {
    const record = new RefusalRecord(() => 0);
    record.note('registry_unavailable', '203.0.113.7');
    record.note('banned', undefined);
    expect([record.of('203.0.113.7'), record.of('192.0.2.1')]).to.deep.equal([[], []]);
  });

  it('keeps of the last refusal of a game server what the doctor finds and what it announced, and nothing of what was read', () => {
    let now = 0;
    const record = new RefusalRecord(() => (now += 1));
    const about = 'too many';
    const none = { ip: undefined, port: undefined };
    record.note('rate_limited', '203.0.113.7', { path: '/', about: 'too many lists' });
    record.note('rate_limited', '203.0.113.7', { path: '/ping', about });
    record.note('rate_limited', '203.0.113.7', { path: '/servers', about: 'too many lists' });
    record.note('invalid_request', '203.0.113.7', {
      path: '/broadcast',
      about: 'x'.repeat(5000),
      finding: 'quota_all',
      fields: { server_ip: '203.0.113.8', server_port: 7777 },
    });
    expect(record.ofWrites('203.0.113.7')).to.deep.equal([
      { code: 'rate_limited', at: 2, about, finding: undefined, ...none },
      {
        code: 'invalid_request',
        at: 4,
        about: `${'x'.repeat(199)}…`,
        finding: 'quota_all',
        ip: '203.0.113.8',
        port: 7777,
      },
    ]);
    expect(record.of('203.0.113.7')[0]).to.include({ count: 3, at: 3 });
  });

  for (const [fields, ip, port] of [
    [{ server_ip: '203.0.113.7', server_port: '7777' }, '203.0.113.7', 7777],
    [{ server_ip: 'auto', server_port: 'x' }, undefined, undefined],
    [{ server_ip: ['203.0.113.7'], server_port: {} }, undefined, undefined],
    [null, undefined, undefined],
    [[1, 2], undefined, undefined],
  ] as const)
    it(`reads what was announced in ${JSON.stringify(fields)}`, () => {
      const record = new RefusalRecord(() => 0);
      record.note('invalid_request', '203.0.113.7', { path: '/ping', about: '', fields });
      expect(record.ofWrites('203.0.113.7')).to.deep.equal([
        { code: 'invalid_request', at: 0, about: undefined, finding: undefined, ip, port },
      ]);
    });

  it('forgets the network that was refused longest ago, beyond 10,000', () => {
    const record = new RefusalRecord(() => 0);
    for (let i = 0; i < 10_000; i += 1) record.note('banned', addressOf(i));
    record.note('banned', addressOf(0));
    record.note('banned', '203.0.113.7');
    expect(record.of(addressOf(0))).to.have.length(1);
    expect(record.of(addressOf(1))).to.deep.equal([]);
    expect(record.of(addressOf(2))).to.have.length(1);
  });
});

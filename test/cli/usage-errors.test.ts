/** What the command line says, in one line, of words that it cannot take, and of a Redis that it cannot reach. */

import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { complaintHere, type Variables } from './run-here.ts';

describe('a usage error', () => {
  const COMPLAINTS: readonly (readonly [readonly string[], Variables, RegExp])[] = [
    [['--prot', '1'], {}, /^unknown option --prot; did you mean --port\?$/],
    [['-port', '1'], {}, /did you mean --port\?$/],
    [['--redis-url', 'x'], {}, /did you mean --redis\?$/],
    [['reset', '--yse'], {}, /did you mean --yes\?$/],
    [['--nonsense'], {}, /^unknown option --nonsense$/],
    [['--unique-address=no'], {}, /--unique-address takes no value: give it alone, or leave it out/],
    [['healthchek'], {}, /^unknown command healthchek; did you mean healthcheck\?$/],
    [['start'], {}, /^there is no command start: gsls without a command starts the service$/],
    [['serve'], {}, /: gsls without a command starts the service$/],
    [['--port', '8080', 'run'], {}, /: gsls without a command starts the service$/],
    [['reset', 'start'], {}, /^reset takes options only/],
    [
      ['nonsense'],
      {},
      /gsls without a command starts the service, its commands are demo, healthcheck, reset, ban, announce, doctor, list, watch, simulate, conformance and options,/,
    ],
    [['healthcheck', 'extra'], {}, /healthcheck takes options only/],
    [
      ['help', 'nonsense'],
      {},
      /the commands with a help are demo, healthcheck, reset, ban, announce, doctor, list, watch, simulate, conformance and options/,
    ],
    [['--port'], {}, /^--port <port> needs a value$/],
    [['--port', '65536'], {}, /--port must be an integer from 0 to 65535, not "65536"/],
    [['--key-file', '/nowhere/keys'], {}, /the key file \/nowhere\/keys cannot be read/],
    [['--details-schema', '/nowhere/schema'], {}, /the details schema \/nowhere\/schema cannot be read/],
    [['--details-schema', 'README.md'], {}, /the details schema README\.md is not valid JSON: /],
    [[], { GSLS_PROT: '1' }, /^unknown variable GSLS_PROT; did you mean GSLS_PORT\?$/],
    [[], { GSLS_NONSENSE: '1' }, /^unknown variable GSLS_NONSENSE$/],
    [[], { GSLS_PORT: 'tcp://10.0.0.1:53600' }, /enableServiceLinks: false/],
    [['reset'], {}, /^reset needs --redis/],
    [['reset', '--yes'], {}, /^reset needs --redis/],
  ];
  for (const [args, variables, line] of COMPLAINTS)
    it(`${[...args, ...Object.entries(variables)].join(' ')} is one line`, async () => {
      expect(await complaintHere(2, args, variables)).to.match(line);
    });

  it('a word that may be a key is not repeated', async () => {
    for (const args of [['--kye=hunter2'], ['--key', 'my', 'hunter2'], ['reset', 'hunter2']])
      expect(await complaintHere(2, args)).to.not.include('hunter2');
  });
});

describe('gsls reset', () => {
  it('fails with one line, without the password, while its Redis is away', async () => {
    const redis = `redis://user:secret@127.0.0.1:${await freePort()}`;
    expect(await complaintHere(1, ['reset', '--yes', '--redis', redis]))
      .to.match(/^Redis at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/)
      .and.not.include('secret');
  });
});

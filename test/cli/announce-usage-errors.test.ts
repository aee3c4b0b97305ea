/** What `gsls announce` says, in one line, of words, variables and files that it cannot take. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { announce } from '../../src/cli/announce.ts';
import { UsageError } from '../../src/config/option.ts';
import { useDirectory } from '../support/use-directory.ts';
import type { Variables } from './run-here.ts';

const TO = ['--to', 'http://localhost:53600'];
const QUERY = ['--query', 'a2s', '127.0.0.1:27015'];

/** The line of the error with exit code 2. */
async function complaintOf(args: readonly string[], environment: Variables = {}): Promise<string> {
  const output = { write: () => undefined };
  const error = await announce(args, { version: '1.2.3', environment, stdout: output, stderr: output }).then(
    () => expect.fail('there was nothing to complain about'),
    (each: unknown) => each as Error,
  );
  expect(error).to.be.instanceOf(UsageError);
  expect(error.message).to.match(/^[^\n]+$/);
  return error.message;
}

describe('a usage error of gsls announce', () => {
  const COMPLAINTS: readonly (readonly [readonly string[], Variables, RegExp])[] = [
    [[...QUERY], {}, /^announce needs --to, the URL of a service, like --to https:/],
    [
      [...TO],
      {},
      /^announce needs --query a2s\|quake3\|minecraft\|teeworlds HOST:PORT, --exec, --state or --config/,
    ],
    [['--to', 'localhost:53600', ...QUERY], {}, /^--to must be the URL of a service, like https:/],
    [['--to', 'ftp://localhost', ...QUERY], {}, /^--to must be the URL of a service/],
    [
      [...TO, '--query', 'a3s', '127.0.0.1:27015'],
      {},
      /^--query must be one of .*, not "a3s"; did you mean a2s\?$/,
    ],
    [
      [...TO, '--query', 'a2s', '127.0.0.1'],
      {},
      /^--query needs the address .* --query a2s 127.0.0.1:27015, with its port/,
    ],
    [[...TO, '--query', 'a2s'], {}, /^--query needs the address of the game server behind a2s/],
    [[...TO, '127.0.0.1:27015'], {}, /^an address needs --query before it/],
    [[...TO, ...QUERY, 'more'], {}, /^gsls announce takes options only|too many words/],
    [
      [...TO, ...QUERY, '--state', 'x'],
      {},
      /^--query and --state exclude each other: a game server has one source$/,
    ],
    [[...TO, '--exec', 'status'], {}, /^--exec needs --port as well: the port that players connect to$/],
    [[...TO, '--exec', '"status', '--port', '1'], {}, /^--exec must close its quote "$/],
    [
      [...TO, ...QUERY, '--query-timeout', '5000'],
      {},
      /^--query-timeout must be shorter than the 5 s of --query-interval$/,
    ],
    [[...TO, ...QUERY, '--meta', 'en'], {}, /^--meta must be a JSON object/],
    [
      [...TO, ...QUERY, '--details', '{"mod": "x"}'],
      {},
      /^--details has no detail "mod"; did you mean mode\?$/,
    ],
    [[...TO, ...QUERY, '--name', ' \u200b'], {}, /^--name must be a text of 1 to 128 characters/],
    [[...TO, ...QUERY, '--ip', 'here'], {}, /^--ip must be auto, or an IPv4 or IPv6 address, not "here"$/],
    [[...TO, ...QUERY, '--ops-host', '::'], {}, /^--ops-host needs --ops-port/],
    [[...TO, ...QUERY, '--once', '--dry-run'], {}, /^--once and --dry-run exclude each other/],
    [[...TO, ...QUERY, '--intervall', '5'], {}, /^unknown option --intervall/],
    [[...TO, ...QUERY, '--key-file', '/nowhere/key'], {}, /^the key file \/nowhere\/key cannot be read/],
    [
      [...TO, ...QUERY],
      { GSLS_ANNOUNCE_REGOIN: 'eu' },
      /^unknown variable GSLS_ANNOUNCE_REGOIN; did you mean GSLS_ANNOUNCE_REGION\?$/,
    ],
    [[...QUERY], { GSLS_ANNOUNCE_TO: 'x' }, /^GSLS_ANNOUNCE_TO must be the URL of a service/],
    [[...TO, ...QUERY], { GSLS_ANNOUNCE_PORT: 'tcp://10.0.0.1:1' }, /enableServiceLinks: false/],
    [
      ['--config', '/nowhere/servers.json'],
      {},
      /^the file of game servers \/nowhere\/servers.json cannot be read/,
    ],
    [['--config', 'README.md'], {}, /^the file of game servers README\.md is not valid JSON/],
    [
      ['--config', 'x', ...QUERY],
      {},
      /^--query cannot be used with --config: each game server of the file has its own$/,
    ],
  ];
  for (const [args, variables, line] of COMPLAINTS)
    it(`${[...args, ...Object.entries(variables)].join(' ')} is one line`, async () => {
      expect(await complaintOf(args, variables)).to.match(line);
    });

  it('repeats no key and no password', async () => {
    for (const args of [
      [...TO, ...QUERY, '--key', 'hunter2\u0007'],
      ['--to', 'https://user:hunter2@localhost', ...QUERY],
      [...TO, ...QUERY, '--key=my', 'hunter2'],
    ])
      expect(await complaintOf(args)).to.not.include('hunter2');
  });

  const newPath = useDirectory();
  const FILES: readonly (readonly [object, RegExp])[] = [
    [{}, /must have a list "servers" with 1 to 10000 game servers/],
    [{ to: 'http://localhost', servers: [{}] }, /, game server 1: announce needs --query/],
    [{ to: 'http://localhost', regoin: 'eu', servers: [{}] }, /: unknown "regoin"; did you mean region\?$/],
    [{ servers: [{ query: 'a2s 127.0.0.1:1' }] }, /, game server 1: announce needs --to/],
    [
      { servers: [{ querry: 'a2s 127.0.0.1:1' }] },
      /, game server 1: unknown "querry"; did you mean query\?$/,
    ],
    [{ to: 'http://localhost', servers: [[]] }, /, game server 1: must be a JSON object$/],
    [
      { to: 'http://localhost', servers: [{ query: 'a2s 127.0.0.1:1', name: '' }] },
      /, game server 1: "name" must be a text of 1 to 128 characters/,
    ],
    [
      { to: 'http://localhost', servers: [{ query: 'a2s 127.0.0.1:1' }, { query: 'quake3 127.0.0.1:1' }] },
      /: the game servers 1 and 2 have the same host and port/,
    ],
  ];
  for (const [content, line] of FILES)
    it(`a file with ${JSON.stringify(content)} is one line with its name`, async () => {
      const path = newPath();
      writeFileSync(path, JSON.stringify(content));
      const complaint = await complaintOf(['--config', path]);
      expect(complaint).to.include(path).and.match(line);
      expect(complaint.split(path)).to.have.length(2);
    });
});

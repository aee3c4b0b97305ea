/** The one line and the exit code of a program that cannot do what it is told. */

import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { runCli } from '../../support/start-cli.ts';
import { expectComplaint } from './expect-complaint.ts';

describe('a usage error', function () {
  this.timeout(120_000);

  const COMPLAINTS: readonly (readonly [readonly string[], Record<string, string>, RegExp])[] = [
    [['--prot', '1'], {}, /: unknown option --prot; did you mean --port\?$/m],
    [['-port', '1'], {}, /did you mean --port\?$/m],
    [['--redis-url', 'x'], {}, /did you mean --redis\?$/m],
    [['reset', '--yse'], {}, /did you mean --yes\?$/m],
    [['--nonsense'], {}, /: unknown option --nonsense; see gsls --help$/m],
    [['--unique-address=no'], {}, /--unique-address takes no value: give it alone, or leave it out/],
    [['healthchek'], {}, /: unknown command healthchek; did you mean healthcheck\?$/m],
    [['start'], {}, /: there is no command start: gsls without a command starts the service; see /],
    [['serve'], {}, /: gsls without a command starts the service; see /],
    [['--port', '8080', 'run'], {}, /: gsls without a command starts the service; see /],
    [['reset', 'start'], {}, /: reset takes options only/],
    [
      ['nonsense'],
      {},
      /gsls without a command starts the service, its commands are demo, healthcheck, reset, ban and options,/,
    ],
    [['healthcheck', 'extra'], {}, /healthcheck takes options only/],
    [['help', 'nonsense'], {}, /the commands with a help are demo, healthcheck, reset, ban and options/],
    [['--port'], {}, /: --port <port> needs a value; see gsls --help$/m],
    [['--port', '65536'], {}, /--port must be an integer from 0 to 65535, not "65536"/],
    [['--key-file', '/nowhere/keys'], {}, /the key file \/nowhere\/keys cannot be read/],
    [['--details-schema', '/nowhere/schema'], {}, /the details schema \/nowhere\/schema cannot be read/],
    [['--details-schema', 'README.md'], {}, /the details schema README\.md is not valid JSON: /],
    [['--details-schema', 'package.json'], {}, /the details schema package\.json cannot be used: /],
    [[], { GSLS_PROT: '1' }, /: unknown variable GSLS_PROT; did you mean GSLS_PORT\?$/m],
    [[], { GSLS_NONSENSE: '1' }, /: unknown variable GSLS_NONSENSE; see gsls --help$/m],
    [[], { GSLS_PORT: 'tcp://10.0.0.1:53600' }, /enableServiceLinks: false/],
  ];

  for (const [args, variables, line] of COMPLAINTS)
    it(`${[...args, ...Object.entries(variables)].join(' ')} ends with code 2 and one line`, async () => {
      expectComplaint(await runCli(args, variables), 2, line);
    });

  it('control characters are not repeated', async () => {
    expectComplaint(await runCli(['--ttl', '1\n\u001B[2J']), 2, /, not "1 \[2J"; see gsls --help\n$/);
  });

  it('a word that may be a key is not repeated', async () => {
    for (const args of [['--kye=hunter2'], ['--key', 'my', 'hunter2'], ['reset', 'hunter2']]) {
      const exit = await runCli(args);
      expectComplaint(exit, 2, /^gsls: /);
      expect(exit.stderr).to.not.include('hunter2');
    }
  });

  it('a port in use ends with code 1 and one line', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      const exit = await runCli(['--host', '127.0.0.1', '--port', String(port)]);
      expectComplaint(exit, 1, new RegExp(`port ${port} is already in use.* --port`));
      const ops = await runCli(['--host', '127.0.0.1', '--port', '0', '--ops-port', String(port)]);
      expectComplaint(ops, 1, new RegExp(`port ${port} is already in use.* --ops-port`));
    } finally {
      await new Promise((resolve) => holder.close(resolve));
    }
  });

  it('a host that is not an address of this machine ends with code 1 and one line', async () => {
    const exit = await runCli(['--host', '203.0.113.1', '--port', '0']);
    expectComplaint(exit, 1, /203\.0\.113\.1 is not an address of this machine.* --host/);
    const ops = await runCli(['--port', '0', '--ops-port', '0', '--ops-host', '203.0.113.1']);
    expectComplaint(ops, 1, /203\.0\.113\.1 is not an address of this machine.* --ops-host/);
  });
});

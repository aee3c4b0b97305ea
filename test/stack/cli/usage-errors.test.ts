/**
 * The one line and the exit code of a program that cannot do what it is told. All that the line may say:
 * test/cli/usage-errors.test.ts and test/service/commands/listen-error.test.ts.
 */

import { createServer, type AddressInfo } from 'node:net';
import { listen } from '../../support/listen.ts';
import { runCli } from '../../support/start-cli.ts';
import { expectComplaint } from './expect-complaint.ts';

describe('a usage error', function () {
  this.timeout(120_000);

  it('ends with code 2 and one line, which points to the help where it has no better advice', async () => {
    const [withAdvice, without, later, geo, variable] = await Promise.all([
      runCli(['healthchek']),
      runCli(['--port']),
      runCli(['--port', '0', '--details-schema', 'package.json']),
      runCli(['--port', '0', '--geo-file', 'package.json']),
      runCli([], { GSLS_PROT: '1' }),
    ]);
    expectComplaint(withAdvice, 2, /^gsls: unknown command healthchek; did you mean healthcheck\?$/m);
    expectComplaint(without, 2, /^gsls: --port <port> needs a value; see gsls --help$/m);
    expectComplaint(later, 2, /the details schema package\.json cannot be used: /);
    expectComplaint(
      geo,
      2,
      /^gsls: the geo file package\.json is no MaxMind DB with countries by their iso_code, or not a whole one/m,
    );
    expectComplaint(variable, 2, /^gsls: unknown variable GSLS_PROT; did you mean GSLS_PORT\?$/m);
  });

  it('control characters are not repeated', async () => {
    expectComplaint(await runCli(['--ttl', '1\n\u001B[2J']), 2, /, not "1 \[2J"; see gsls --help\n$/);
  });

  it('a port in use ends with code 1 and one line', async () => {
    const holder = createServer();
    await listen(holder, '127.0.0.1', 0);
    const { port } = holder.address() as AddressInfo;
    try {
      const exit = await runCli(['--host', '127.0.0.1', '--port', String(port)]);
      expectComplaint(exit, 1, new RegExp(`port ${port} is already in use.* --port`));
    } finally {
      await new Promise((resolve) => holder.close(resolve));
    }
  });
});

/** `gsls healthcheck`, asked by another process. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { runCli, startListeningCli, type CliExit } from '../../support/start-cli.ts';
import { expectComplaint } from './expect-complaint.ts';

function check(url: string, environment: Record<string, string> = {}): Promise<CliExit> {
  return runCli(['healthcheck', '--host', '127.0.0.1', '--port', new URL(url).port], environment);
}

describe('gsls healthcheck', function () {
  this.timeout(120_000);

  it('a healthy replica gives code 0', async () => {
    const cli = await startListeningCli();
    await ask(cli, 'POST /broadcast', { body: aBroadcast() });
    const exit = await check(cli.url);
    await cli.stop();
    expect(exit).to.deep.equal({ code: 0, stdout: 'healthy, 1 servers listed\n', stderr: '' });
  });

  it('the configured key is used', async () => {
    const cli = await startListeningCli([], { GSLS_KEY: 'secret' });
    const [right, wrong, none] = await Promise.all([
      check(cli.url, { GSLS_KEY: 'secret' }),
      check(cli.url, { GSLS_KEY: 'other' }),
      check(cli.url),
    ]);
    await cli.stop();
    expect(right.code).to.equal(0);
    expectComplaint(wrong, 1, /answers 401/);
    expectComplaint(none, 1, /answers 401/);
  });

  it('a key of any letters is sent as the service reads it', async () => {
    for (const key of ['k\u00e9y \u{1F511} \u4e2d', '\u00e0']) {
      const cli = await startListeningCli([], { GSLS_KEY: key });
      const exit = await check(cli.url, { GSLS_KEY: key });
      await cli.stop();
      expect(exit).to.include({ code: 0, stderr: '' });
    }
  });

  it('another program that answers, or never does, gives code 1 and one line', async () => {
    const other = createServer((request, response) => {
      if (request.headers.authorization === undefined) response.end('<html>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const [html, silence] = await Promise.all([check(url), check(url, { GSLS_KEY: 'secret' })]);
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    expectComplaint(html, 1, /answers 200: another program than GSLS listens there$/m);
    expectComplaint(silence, 1, /does not answer: no answer within 2 s$/m);
  });

  it('a closed port gives code 1 and one line', async () => {
    const exit = await check(`http://127.0.0.1:${await freePort()}`);
    expectComplaint(exit, 1, /does not answer: ECONNREFUSED/);
  });
});

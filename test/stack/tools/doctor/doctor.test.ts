/** `gsls doctor` as a person starts it, before a service of its own and before nothing. */

import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ask } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { freePort } from '../../../support/free-port.ts';
import { listen } from '../../../support/listen.ts';
import { runCli, startListeningCli, type ListeningCli } from '../../../support/start-cli.ts';
import { useDirectory } from '../../../support/use-directory.ts';

describe('gsls doctor', function () {
  this.timeout(60_000);
  const newPath = useDirectory();
  let service: ListeningCli;
  before(async () => {
    service = await startListeningCli([
      '--allow-unlisted',
      '--verify',
      'tcp',
      '--verify-networks',
      'loopback',
    ]);
  });
  after(() => service.stop());

  it('says 0 of a game server that is listed, whose port is tried from outside', async () => {
    const gameServer = createServer((socket) => socket.on('error', () => undefined).resume());
    await listen(gameServer, '127.0.0.1', 0);
    const { port } = gameServer.address() as AddressInfo;
    const fields = { server_ip: '127.0.0.1', server_port: port, unlisted: true };
    const headers = { 'Server-Token': 'claim' };
    const { headers: told } = await ask(service, 'POST /broadcast', {
      body: aBroadcast(fields),
      headers,
    });
    await ask(service, 'POST /broadcast', { body: aBroadcast({ ...fields, unlisted: false }) });
    const listed = await runCli(['doctor', service.url, `127.0.0.1:${port}`]);
    expect(listed, listed.stdout).to.include({ code: 0, stderr: '' });
    expect(listed.stdout).to.match(/✓ something on this machine takes TCP/);
    expect(listed.stdout).to.match(/✓ the port answers from outside/);
    expect(listed.stdout).to.match(/\nCause: the list shows this game server \(listed\)\nNext: [^\n]+\n$/);
    const path = newPath();
    writeFileSync(path, `${String(told['server-token'])}\n`, { mode: 0o600 });
    const own = await runCli(['doctor', service.url, `localhost:${port}`, '--token-file', path, '--json']);
    expect(own.code, own.stdout).to.equal(1);
    const body = JSON.parse(own.stdout) as { readonly entry: object };
    expect(body).to.include({ cause: 'unlisted', reached: true });
    expect(body.entry).to.include({ join_code: told['server-join-code'] });
    await new Promise((resolve) => gameServer.close(resolve));
  });

  it('says 1 of one that is not known, with what this machine sees and what came from it', async () => {
    const { code, stdout } = await runCli(['doctor', service.url, `127.0.0.1:${await freePort()}`]);
    expect(code).to.equal(1);
    expect(stdout)
      .to.match(/✗ nothing on this machine listens/)
      .and.match(/are: 127\.0\.0\.1:\d+, listed \(other_port\)/);
  });

  it('says 3 where nobody answers, and 2 where it is called wrongly', async () => {
    const nobody = await runCli(['doctor', `http://127.0.0.1:${await freePort()}`, '127.0.0.1:1']);
    expect([nobody.code, nobody.stderr]).to.deep.equal([3, '']);
    expect(nobody.stdout).to.match(/\nCause: the service is not reached: [^\n]+ \(refused\)\nNext: /);
    const wrong = await runCli(['doctor', service.url, '127.0.0.1']);
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.match(/^gsls: the game server must be like [^\n]+\n$/);
  });

  it('has a help of 80 columns, with examples', async () => {
    const { code, stdout } = await runCli(['doctor', '--help']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^Usage: gsls doctor \[options\] <url> <host:port> \[urls\.\.\.\]\n/);
    expect(stdout).to.include('Examples:').and.include('Exit codes:');
    expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
  });
});

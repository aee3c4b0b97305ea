/** `gsls beacon` and what measures it, as people start them: the configuration file, `gsls announce`, `gsls list`. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { runCli, startCli, startListeningCli, type Cli, type ListeningCli } from '../../support/start-cli.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { expectComplaint } from '../cli/expect-complaint.ts';

describe('gsls beacon', () => {
  const newPath = useDirectory();
  const started: Cli[] = [];
  let port: number;
  let service: ListeningCli;
  let file: string;

  /** The file with one beacon, or with two: the second is the replica itself. */
  function write(second: number | undefined): void {
    const here = { url: `http://127.0.0.1:${port}`, place: 'Here' };
    const there = { url: `http://127.0.0.1:${second}`, latency: { here: 10 } };
    writeFileSync(file, JSON.stringify({ beacons: { here, ...(second && { there }) } }));
  }

  before(async () => {
    port = await freePort();
    file = newPath();
    write(undefined);
    const beacon = startCli(['beacon', '--port', String(port), '--host', '127.0.0.1']);
    const own = await freePort();
    service = await startListeningCli(['--config', file, '--beacon-port', String(own), '--ttl', '3']);
    started.push(beacon, service);
    const url = `http://127.0.0.1:${port}`;
    await until(() =>
      ask({ url }, 'GET /').then(
        ({ status }) => status === 204,
        () => false,
      ),
    );
    expect((await service.logged('a beacon on')).url).to.equal(`http://127.0.0.1:${own}`);
    expect((await ask({ url: `http://127.0.0.1:${own}` }, 'GET /')).status).to.equal(204);
  });

  after(async () => {
    for (const each of started) {
      each.kill('SIGTERM');
      await each.exited;
    }
  });

  it('is measured from a terminal, as the file has it', async () => {
    const measured = await runCli(['beacon', '--measure', service.url]);
    expect([measured.code, measured.stderr]).to.deep.equal([0, '']);
    expect(measured.stdout).to.match(/^latency: \{ here: \d+ \}\n$/);
  });

  it('is measured by gsls announce, and again once the file names another', async () => {
    const state = newPath();
    writeFileSync(state, JSON.stringify({ server_name: 'One', players: 1, max_players: 8, country: 'DE' }));
    const to = [
      '--to',
      service.url,
      '--state',
      state,
      '--state-max-age',
      '0',
      '--port',
      '7777',
      '--host',
      'a',
    ];
    started.push(startCli(['announce', ...to, '--token-dir', newPath()]));
    const latency = async (): Promise<readonly string[]> => {
      const { text } = await ask(service, 'GET /servers');
      const [server] = (JSON.parse(text) as { servers: { latency?: object; country?: string }[] }).servers;
      if (server !== undefined) expect(server.country).to.equal('DE');
      return Object.keys(server?.latency ?? {});
    };
    await until(async () => (await latency()).join() === 'here');
    write(Number(new URL((await service.logged('a beacon on')).url!).port));
    await until(async () => (await latency()).join() === 'here,there');
    const listed = await runCli(['list', service.url, '--near']);
    expect([listed.code, listed.stderr]).to.deep.equal([0, '']);
    expect(listed.stdout).to.match(/^One\t1\t8\t.*:7777\t\d+\n$/);
  });

  it('is no need of a list: without one it comes as ever, and says so', async () => {
    const bare = await startListeningCli();
    started.push(bare);
    const { code, stderr } = await runCli(['list', bare.url, '--near']);
    expect([code, stderr]).to.deep.equal([
      0,
      `gsls: ${bare.url}/ names no beacon that answers, so the order is as without --near\n`,
    ]);
    expectComplaint(await runCli(['beacon', '--measure', bare.url]), 1, /names no beacons$/m);
  });

  it('ends in one line for words that cannot be, and for a port in use', async () => {
    expectComplaint(await runCli(['beacon', '--port', 'x']), 2, /--port must be an integer from 0 to 65535/);
    expectComplaint(await runCli(['beacon', '--trust-proxy', 'x']), 2, /--trust-proxy must hold networks/);
    expectComplaint(
      await runCli(['beacon', '--measure', 'x']),
      2,
      /the URL must be the address of a service/,
    );
    const taken = await runCli(['beacon', '--port', String(port), '--host', '127.0.0.1']);
    expectComplaint(taken, 1, /already in use: .* choose another port with --port/);
    const replica = await runCli(['--port', '0', '--host', '127.0.0.1', '--beacon-port', String(port)]);
    expectComplaint(replica, 1, /already in use: .* choose another port with --beacon-port/);
  });

  it('leaves at SIGTERM with code 0', async () => {
    const [beacon] = started;
    beacon!.kill('SIGTERM');
    expect((await beacon!.exited).code).to.equal(0);
  });
});

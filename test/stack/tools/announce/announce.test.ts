/** `gsls announce` as a person starts it, beside a service: a program and a file that say what the game server is. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ask } from '../../../support/ask.ts';
import type { ListedBody } from '../../../support/builders.ts';
import { freePort } from '../../../support/free-port.ts';
import { needs } from '../../../support/needs.ts';
import { startCli, startListeningCli, type Cli, type ListeningCli } from '../../../support/start-cli.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';
import { expectComplaint } from '../../cli/expect-complaint.ts';

const TTL_S = 3;

describe('gsls announce', () => {
  const newPath = useDirectory();
  let service: ListeningCli;
  const started: Cli[] = [];
  before(async () => {
    service = await startListeningCli(['--ttl', String(TTL_S), '--key', 'hunter2', '--public-read']);
  });
  after(async () => service.stop());
  afterEach(async () => {
    for (const each of started.splice(0)) {
      each.kill('SIGKILL');
      await each.exited;
    }
  });

  /** A game server that says so in a file. */
  function aGame(name: string): { readonly path: string; says(players: number): void } {
    const path = newPath();
    const says = (players: number): void =>
      writeFileSync(path, JSON.stringify({ server_name: name, players, max_players: 8 }));
    says(1);
    return { path, says };
  }

  function announce(args: readonly string[], tokens = newPath()): Cli {
    const all = ['--to', service.url, '--token-dir', tokens, '--query-interval', '1', ...args];
    const cli = startCli(['announce', ...all], { GSLS_KEY: 'hunter2' });
    started.push(cli);
    return cli;
  }

  async function listed(name: string): Promise<ListedBody | undefined> {
    const { body } = await ask(service, 'GET /servers?limit=1000&include=meta');
    return body.servers!.find((each) => each.name === name);
  }

  it('lists what a program says, and takes it off the list at SIGTERM', async () => {
    const game = `"${process.execPath}" -p "JSON.stringify({ players: 3, mode: process.env.GSLS_KEY ?? 'no key' })"`;
    const patient = ['--query-interval', '30', '--query-timeout', '29000'];
    const said = ['--port', '7777', '--name', 'By exec', '--max-players', '4'];
    const cli = announce(['--exec', game, ...patient, ...said]);
    await until(async () => (await listed('By exec')) !== undefined);
    expect(await listed('By exec')).to.include({ players: 3, max_players: 4, port: 7777, mode: 'no key' });
    cli.kill('SIGTERM');
    const { code, stdout, stderr } = await cli.exited;
    expect(await listed('By exec')).to.equal(undefined);
    expect(code).to.equal(0);
    expect(stdout + stderr).to.not.include('hunter2');
  });

  it('follows a file, and keeps the id when it is killed and starts again', async () => {
    const game = aGame('By file');
    const [tokens, args] = [newPath(), ['--state', game.path, '--port', '7778', '--log-format', 'json']];
    const first = announce(args, tokens);
    await first.logged('The game server is listed as');
    const { id } = (await listed('By file'))!;
    game.says(5);
    await until(async () => (await listed('By file'))?.players === 5);
    first.kill('SIGKILL');
    await first.exited;
    await until(async () => (await listed('By file')) === undefined);
    game.says(6);
    const second = announce(args, tokens);
    await second.logged('The game server is listed as');
    expect(await listed('By file')).to.include({ id, players: 6 });
    const [file] = readdirSync(tokens);
    const token = readFileSync(join(tokens, file!), 'utf8').trim();
    if (process.platform !== 'win32') expect(statSync(join(tokens, file!)).mode & 0o777).to.equal(0o600);
    second.kill('SIGINT');
    const { stdout, stderr } = await second.exited;
    expect(stdout + stderr).to.not.include(token);
  });

  it('lets a game that ended leave with the TTL, and is not ready then', async () => {
    const game = aGame('Ends');
    const cli = announce(['--state', game.path, '--port', '7779', '--ops-port', '0']);
    const { url } = await cli.logged('operations on');
    const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200;
    await until(isReady);
    const { id } = (await listed('Ends'))!;
    rmSync(game.path);
    await until(async () => (await listed('Ends')) === undefined);
    expect(await isReady()).to.equal(false);
    expect(await (await fetch(`${url}/metrics`)).text()).to.include('{standing="away"} 1\n');
    game.says(2);
    await until(async () => (await listed('Ends'))?.id === id);
  });

  it('lists once with --once, prints the id, and leaves the entry to its TTL', async () => {
    const game = aGame('Once');
    const { code, stdout } = await announce(['--state', game.path, '--port', '7780', '--once']).exited;
    expect(code).to.equal(0);
    expect(stdout).to.equal(`${(await listed('Once'))!.id}\n`);
    const to = ['--to', `http://127.0.0.1:${await freePort()}`];
    const failed = await announce([...to, '--state', game.path, '--port', '7780', '--once']).exited;
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.match(/not listed at http:\/\/127\.0\.0\.1:\d+: the connection was refused/);
  });

  it('prints what it would send with --dry-run, and sends nothing', async () => {
    const game = aGame('Dry');
    const args = ['--state', game.path, '--port', '7781', '--host', 'eu1.example.com', '--dry-run'];
    const { code, stdout } = await announce([...args, '--tags', 'a,b']).exited;
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({
      server_host: 'eu1.example.com',
      server_name: 'Dry',
      server_port: 7781,
      server_ip: 'auto',
      players: 1,
      max_players: 8,
      tags: ['a', 'b'],
    });
    expect(await listed('Dry')).to.equal(undefined);
    rmSync(game.path);
    expectComplaint(await announce(args).exited, 1, /nothing would be sent: there is no file/);
  });

  it('lists all game servers of a file', async () => {
    const [one, two, path] = [aGame('First'), aGame('Second'), newPath()];
    const servers = [
      { state: one.path, port: 7782, region: 'na' },
      { state: two.path, port: 7783, 'max-players': 2, meta: { language: 'de' } },
    ];
    writeFileSync(path, JSON.stringify({ region: 'eu', servers }));
    const cli = announce(['--config', path]);
    await until(async () => (await listed('First')) !== undefined && (await listed('Second')) !== undefined);
    expect(await listed('First')).to.include({ region: 'na', max_players: 8 });
    expect(await listed('Second')).to.deep.include({
      region: 'eu',
      max_players: 2,
      meta: { language: 'de' },
    });
    cli.kill('SIGTERM');
    await cli.exited;
    expect(await listed('First')).to.equal(undefined);
  });

  it('ends with one line where its port is taken', async () => {
    const { port } = new URL(service.url);
    const args = ['--state', aGame('x').path, '--port', '1', '--ops-port', port];
    expectComplaint(
      await announce(args).exited,
      1,
      /^gsls: port \d+ is already in use: .* with --ops-port\n$/,
    );
  });

  needs('POSIX').it('ends within 2 s while a service hangs, and at once at the second signal', async () => {
    const args = ['--state', aGame('Hangs').path, '--port', '7784'];
    const [patient, hurried] = [announce(args), announce(args)];
    await Promise.all([
      patient.logged('The game server is listed as'),
      hurried.logged('The game server is listed as'),
    ]);
    process.kill(service.pid, 'SIGSTOP');
    try {
      const from = performance.now();
      for (const each of [patient, hurried]) each.kill('SIGTERM');
      await hurried.logged('takes its entries off the list');
      hurried.kill('SIGTERM');
      expect((await hurried.exited).code).to.equal(1);
      expect((await patient.exited).code).to.equal(0);
      expect(performance.now() - from).to.be.below(2500);
    } finally {
      process.kill(service.pid, 'SIGCONT');
    }
  });
});

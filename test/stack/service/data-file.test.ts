/** The data file of a real process: killed, stopped, started twice, and on a disk that is full. */

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ask } from '../../support/ask.ts';
import { aBroadcast, aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { runCli, startListeningCli, type ListeningCli } from '../../support/start-cli.ts';
import { useDirectory } from '../../support/use-directory.ts';

const CLIENTS = 8;

/** What a game server was told is so: at least as many players, for each ping brings one more. */
interface Acknowledged {
  readonly id: string;
  players: number;
}

/** Clients that broadcast and then ping, each with one player more, until the service is gone. */
class Clients {
  readonly acknowledged: Acknowledged[] = [];
  readonly gone: Promise<unknown>;
  readonly #service: ListeningCli;

  constructor(service: ListeningCli) {
    this.#service = service;
    this.gone = Promise.allSettled(Array.from({ length: CLIENTS }, () => this.#run()));
  }

  async #run(): Promise<never> {
    for (;;) {
      const fields = aBroadcast({ players: 0 });
      const { body } = await ask(this.#service, 'POST /broadcast', { body: fields });
      const entry = { id: body.server_id!, players: 0 };
      this.acknowledged.push(entry);
      for (let players = 1; players <= 3; players += 1) {
        const ping = { ...fields, server_id: entry.id, players };
        expect((await ask(this.#service, 'POST /ping', { body: ping })).status).to.equal(200);
        entry.players = players;
      }
    }
  }
}

describe('a data file of a process', function () {
  this.timeout(180_000);
  const newPath = useDirectory();
  let running: ListeningCli[] = [];
  afterEach(async () => {
    await Promise.all(running.map((cli) => cli.stop()));
    running = [];
  });

  async function start(path: string): Promise<ListeningCli> {
    const cli = await startListeningCli([], { GSLS_DATA_FILE: path });
    running.push(cli);
    return cli;
  }

  it('every acknowledged change survives a process that is killed under load, again and again', async () => {
    const path = newPath();
    const acknowledged: Acknowledged[] = [];
    let cli = await start(path);
    for (let round = 1; round <= 3; round += 1) {
      const clients = new Clients(cli);
      await until(() => clients.acknowledged.length >= 50 * round);
      cli.kill('SIGKILL');
      await Promise.all([cli.exited, clients.gone]);
      acknowledged.push(...clients.acknowledged);

      cli = await start(path);
      const { body } = await ask(cli, 'GET /');
      const listed = new Map(body.servers!.map((server) => [server.id, server]));
      // The broadcasts that were under way may have been carried out.
      expect(listed.size).to.be.within(acknowledged.length, acknowledged.length + round * CLIENTS);
      for (const { id, players } of acknowledged)
        expect(listed.get(id)?.players, id).to.be.within(players, players + 1);
      for (const entry of acknowledged.slice(-CLIENTS)) {
        entry.players += 1;
        const fields = aBroadcast({ server_id: entry.id, players: entry.players });
        expect((await ask(cli, 'POST /ping', { body: fields })).status).to.equal(200);
      }
    }
  });

  it('a second process on the same file ends with code 1 and one line', async () => {
    const path = newPath();
    const first = await start(path);
    const { code, stdout, stderr } = await runCli(['--port', '0', '--data-file', path]);
    expect(stderr).to.match(
      /^gsls: the data file \S+ cannot be used: process \d+ uses it; if that is another program, delete \S+\n$/,
    );
    expect([code, stdout]).to.deep.equal([1, '']);
    await ask(first, 'POST /broadcast', { body: aBroadcast() });
    expect(readFileSync(path, 'utf8').split('\n')).to.have.lengthOf(4);
  });

  it('a process that stops leaves a small file, free for the next one', async () => {
    const path = newPath();
    const first = await start(path);
    const { body } = await ask(first, 'POST /broadcast', { body: aBroadcast() });
    const ping = aBroadcast({ server_id: body.server_id, players: 9 });
    await ask(first, 'POST /ping', { body: ping });
    const { text } = await ask(first, 'GET /');
    first.kill('SIGTERM');
    expect(await first.exited).to.include({ code: 0, stderr: '' });
    expect(readFileSync(path, 'utf8').split('\n')).to.have.lengthOf(4);
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`))).to.deep.equal(
      [],
    );

    const second = await start(path);
    expect((await ask(second, 'GET /')).text).to.equal(text);
    const { msg } = await second.logged('the registry is');
    expect(msg).to.equal(`the registry is in the memory of this process and in the file ${path}`);
  });

  it('a file of another program is refused with one line, and not changed', async () => {
    const path = newPath();
    await writeFile(path, 'my notes\n');
    const { code, stdout, stderr } = await runCli(['--port', '0', '--data-file', path]);
    expect(stderr).to.equal(`gsls: the data file ${path} cannot be used: it is no data file of GSLS\n`);
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(readFileSync(path, 'utf8')).to.equal('my notes\n');
    expect(existsSync(`${path}.new`)).to.equal(false);
  });

  it('a file that lost its end in a crash is read, and the log says so', async () => {
    const path = newPath();
    await writeFile(path, '{"gsls":"registry","format":1}\n{"is":"le');
    const cli = await start(path);
    expect((await cli.logged('the data file ended in the middle of a line')).level).to.equal(40);
  });

  it('a file that is deleted while in use is written anew within 5 s, and the log says so', async () => {
    const path = newPath();
    const cli = await start(path);
    await ask(cli, 'POST /broadcast', { body: aBroadcast() });
    await rm(path);
    const { level, msg } = await cli.logged('the data file was deleted');
    expect(level).to.equal(40);
    expect(msg).to.equal(
      'the data file was deleted while in use: wrote it anew; GSLS reads it at the start only, so stop GSLS before you change it',
    );
    const { text } = await ask(cli, 'GET /');
    cli.kill('SIGKILL');
    await cli.exited;
    expect((await ask(await start(path), 'GET /')).text).to.equal(text);
  });

  it('a file with impossible places in the list is read, and the log says so', async () => {
    const path = newPath();
    const { name, host, ip, port, players, maxPlayers } = aGameServer();
    const line = {
      is: 'listed',
      id: 'an-id',
      registeredAt: 2 ** 53,
      name,
      host,
      ip,
      port,
      players,
      maxPlayers,
    };
    await writeFile(path, `{"gsls":"registry","format":1}\n${JSON.stringify(line)}\n`);
    const cli = await start(path);
    expect((await cli.logged('the data file had places in the list')).level).to.equal(40);
    expect((await ask(cli, 'GET /')).body.count).to.equal(1);
  });

  needs('prlimit').it(
    'a file on a full disk costs no answer, is reported once, and is whole again by itself',
    async () => {
      // Of util-linux; sets how large the files of a process may be.
      const path = newPath();
      const cli = await start(path);
      const lock = readdirSync(dirname(path)).find((name) => name.startsWith(`${basename(path)}.`));
      const limitFiles = (bytes: number | 'unlimited'): void => {
        execFileSync('prlimit', ['--pid', lock!.split('.').at(-2)!, `--fsize=${bytes}:`]);
      };
      limitFiles(statSync(path).size + 1000);
      for (let i = 0; i < 20; i += 1)
        expect((await ask(cli, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      expect((await cli.logged('the data file cannot be written')).level).to.equal(50);
      const { body, text } = await ask(cli, 'GET /');
      expect(body.count).to.equal(20);

      limitFiles('unlimited');
      await cli.logged('the data file holds everything again');
      cli.kill('SIGKILL');
      const { stdout } = await cli.exited;
      expect(stdout.match(/the data file cannot be written/g)).to.have.lengthOf(1);
      expect((await ask(await start(path), 'GET /')).text).to.equal(text);
    },
  );
});

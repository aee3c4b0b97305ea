/**
 * The data file of a real process: killed, stopped, started twice, and on a disk that is full. What the log says of it:
 * test/service/data-file-log.test.ts.
 */

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
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
  const running: ListeningCli[] = [];
  after(() => Promise.all(running.map((cli) => cli.stop())));

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

  describe('while it is in use', () => {
    let path: string;
    let cli: ListeningCli;
    before(async () => {
      path = newPath();
      cli = await start(path);
    });

    it('keeps out a second process, which ends with code 1 and one line', async () => {
      const { code, stdout, stderr } = await runCli(['--port', '0', '--data-file', path]);
      expect(stderr).to.match(
        /^gsls: the data file \S+ cannot be used: process \d+ uses it; if that is another program, delete \S+\n$/,
      );
      expect([code, stdout]).to.deep.equal([1, '']);
      await ask(cli, 'POST /broadcast', { body: aBroadcast() });
      expect(readFileSync(path, 'utf8').split('\n')).to.have.lengthOf(4);
    });

    needs('prlimit').it('costs no answer when the disk is full, which is reported once', async () => {
      // Of util-linux; sets how large the files of a process may be.
      const lock = readdirSync(dirname(path)).find((name) => name.startsWith(`${basename(path)}.`));
      const limitFiles = (bytes: number | 'unlimited'): void => {
        execFileSync('prlimit', ['--pid', lock!.split('.').at(-2)!, `--fsize=${bytes}:`]);
      };
      limitFiles(statSync(path).size + 1000);
      for (let i = 0; i < 20; i += 1)
        expect((await ask(cli, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
      expect((await cli.logged('the data file cannot be written')).level).to.equal(50);
      expect((await ask(cli, 'GET /')).body.count).to.equal(21);
      limitFiles('unlimited');
    });

    it('is whole again when the process has stopped: small, and free for the next one', async () => {
      const { body, text } = await ask(cli, 'GET /');
      cli.kill('SIGTERM');
      const { code, stdout, stderr } = await cli.exited;
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(stdout.match(/the data file cannot be written/g) ?? []).to.have.length.below(2);
      // A line for each entry, and those of a file without any.
      expect(readFileSync(path, 'utf8').split('\n')).to.have.lengthOf(3 + body.count!);
      expect(
        readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`)),
      ).to.deep.equal([]);

      const next = await start(path);
      expect((await ask(next, 'GET /')).text).to.equal(text);
      const { msg } = await next.logged('the registry is');
      expect(msg).to.equal(`the registry is in the memory of this process and in the file ${path}`);
    });
  });
});

/** A client of examples/ before a real service: what it sends, and what it makes of answers. */

import type { ChildProcess } from 'node:child_process';
import { expect } from 'chai';
import { ask } from './ask.ts';
import { describeClaims } from './describe-claims.ts';
import { describeReports } from './describe-reports.ts';
import { GameProcess, type Command } from './game-process.ts';
import { needs, type Need } from './needs.ts';
import { isBroadcast, isPing, Recorder, type Seen } from './recorder.ts';
import { useSideBySide } from './side-by-side.ts';
import { useDirectory } from './use-directory.ts';
import { useService } from './use-service.ts';

const TTL_S = 3;

export interface Client {
  /** The file. */
  readonly name: string;
  readonly needs: readonly Need[];
  /** The command that runs it; the URL follows. `program` is the path of a file that it may compile into. */
  readonly command: (program: string) => Command;
  /**
   * A game that imports the module, prints `the game goes on`, and ends. `path`: of a new directory for what it needs.
   */
  readonly game: (path: string) => Command;
  /** Ends the game as its players do. */
  readonly stop: (client: ChildProcess) => void;
  /** Whether other users cannot read the token file that it makes: its language can say so. */
  readonly hidesFiles: boolean;
}

/** As a service manager ends a game server. */
export const terminate = (client: ChildProcess): void => void client.kill('SIGTERM');

export function describeClient(client: Client): void {
  needs(...client.needs).describe(`examples/${client.name}`, function () {
    this.timeout(60_000);
    const newPath = useDirectory();
    let [command, game]: [Command, Command] = [
      ['', ''],
      ['', ''],
    ];
    before(() => {
      command = client.command(newPath());
      game = client.game(newPath());
    });
    const itBeside = useSideBySide();

    describe('in its life', () => {
      const service = useService({ GSLS_TTL: String(TTL_S) });
      const recorder = new Recorder(() => service.url);
      let process: GameProcess;
      let id: string;

      async function listedIds(): Promise<string[]> {
        return (await ask(service, 'GET /')).body.servers!.map((each) => each.id);
      }

      before(async () => {
        // The first broadcast is carried out, and its answer lost.
        recorder.spoilNext = (response) => response.socket!.destroy();
        process = new GameProcess(command, [await recorder.start()]);
      });
      after(async () => {
        await process?.crash();
        recorder.stop();
      });

      it('repeats a broadcast that got no answer under its key, and is listed once', async () => {
        const ping = await recorder.next(0, isPing);
        const broadcasts = recorder.seen.filter(isBroadcast);
        expect(broadcasts).to.have.length(2);
        expect(broadcasts[0]!.key).to.be.a('string').and.equal(broadcasts[1]!.key);
        id = ping.fields['server_id'] as string;
        expect(await listedIds()).to.deep.equal([id]);
      });

      it('is listed with the address that it sends from', async () => {
        const [entry] = (await ask(service, 'GET /')).body.servers!;
        expect(entry).to.include({ id, name: 'Frankfurt 1', port: 7777, ip: '127.0.0.1' });
      });

      it('pings three times a TTL, with all fields', async () => {
        const from = recorder.seen.length;
        const pings: Seen[] = [];
        while (pings.length < 4)
          pings.push(await recorder.next(from, (each) => isPing(each) && !pings.includes(each)));
        // Of three, so that a pause of the machine is not taken for one of the client.
        const meanMs = (pings[3]!.at - pings[0]!.at) / 3;
        expect(meanMs).to.be.within(700, 1000 * TTL_S);
        expect(pings[3]!.fields).to.include({ server_id: id, server_name: 'Frankfurt 1', players: 3 });
        expect(await listedIds()).to.deep.equal([id]);
      });

      for (const [status, code] of [
        [503, 'registry_unavailable'],
        [429, 'rate_limited'],
      ] as const)
        it(`repeats a ping after a ${status}, not before Retry-After, and keeps its id`, async () => {
          const body = JSON.stringify({ status: 'error', error: 'try again later', code });
          recorder.spoilNext = (response) => response.writeHead(status, { 'Retry-After': '2' }).end(body);
          const from = recorder.seen.length;
          const refused = await recorder.next(from, isPing);
          const repeated = await recorder.next(from + 1, () => true);
          expect(repeated).to.deep.include({ path: '/ping', fields: refused.fields });
          expect(repeated.at - refused.at).to.be.at.least(1900);
        });

      it('broadcasts again under another key when its entry is gone', async () => {
        const from = recorder.seen.length;
        const { key: oldKey } = recorder.seen.find(isBroadcast)!;
        const { token, fields } = recorder.seen.findLast(isPing)!;
        await ask(service, 'POST /remove', { body: fields, headers: { 'Server-Token': token! } });
        const { key } = await recorder.next(from, isBroadcast);
        expect(key).to.be.a('string').and.not.equal(oldKey);
        const ping = await recorder.next(from, (each) => isPing(each) && each.fields['server_id'] !== id);
        expect(await listedIds()).to.deep.equal([ping.fields['server_id']]);
      });

      it('is off the list when the game ends', async () => {
        expect(await process.end(client.stop)).to.equal(0);
        expect(await listedIds()).to.deep.equal([]);
      });

      it('says what went wrong, and never its token', () => {
        expect(process.log)
          .to.match(/no answer.*again in 1 s/)
          .and.match(/try again later.*again in 2 s/);
        const tokens = recorder.seen.flatMap(({ issued }) => issued ?? []);
        expect(tokens).to.have.length(3);
        for (const token of tokens) expect(process.log).to.not.include(token.split('.')[1]!);
      });
    });

    const running = { ...client, command: () => command, game: () => game, newPath };
    describe('with its token', () => describeClaims(running, itBeside));
    describe('and who runs it', () => describeReports(running, itBeside));
  });
}

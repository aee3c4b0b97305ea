/** A client of examples/ as a process before a real service: what it sends, and what it makes of answers. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ask } from './ask.ts';
import { needs, type Need } from './needs.ts';
import { useDirectory } from './use-directory.ts';
import { useService } from './use-service.ts';

export const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const TTL_S = 3;

export interface Client {
  /** The file. */
  readonly name: string;
  readonly needs: readonly Need[];
  /** The command that runs it; the URL follows. `program` is the path of a file that it may compile into. */
  readonly command: (program: string) => readonly [string, ...string[]];
  /** Ends the game as its players do. */
  readonly stop: (client: ChildProcess) => void;
}

/** As a service manager ends a game server. */
export const terminate = (client: ChildProcess): void => void client.kill('SIGTERM');

/** A request as it arrived. */
interface Seen {
  readonly path: string;
  readonly key: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly at: number;
}

const isPing = ({ path }: Seen): boolean => path === '/ping';
const isBroadcast = ({ path }: Seen): boolean => path === '/broadcast';

/** Stands before the service, notes what it is sent, and answers in its place when it is told to. */
class Recorder {
  readonly seen: Seen[] = [];
  readonly #server: Server;
  readonly #target: () => string;
  readonly #waiting = new Set<() => void>();
  /** Takes the answer of the service and sends another one, or none; used once. */
  spoilNext: ((response: ServerResponse) => void) | undefined;

  constructor(target: () => string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => void this.#pass(incoming, response));
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The first request after the first `skip` that fits, also if it is still to come. */
  async next(skip: number, fits: (each: Seen) => boolean): Promise<Seen> {
    for (;;) {
      const found = this.seen.slice(skip).find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method, url, headers } = incoming;
    const spoil = this.spoilNext;
    this.spoilNext = undefined;
    const passed = request(`${this.#target()}${url!}`, { method: method!, headers }).end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const key = headers['idempotency-key'] as string | undefined;
    this.seen.push({
      path: url!,
      key,
      fields: JSON.parse(body.toString()) as Seen['fields'],
      at: Date.now(),
    });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    if (spoil !== undefined) {
      answer.resume();
      spoil(response);
      return;
    }
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  }
}

export function describeClient(client: Client): void {
  needs(...client.needs).describe(`examples/${client.name}`, function () {
    this.timeout(60_000);
    const service = useService({ GSLS_TTL: String(TTL_S) });
    const newPath = useDirectory();
    const recorder = new Recorder(() => service.url);
    let game: ChildProcess;
    let id: string;

    async function listedIds(): Promise<string[]> {
      return (await ask(service, 'GET /')).body.servers!.map((each) => each.id);
    }

    before(async () => {
      const [program, ...args] = client.command(newPath());
      // The first broadcast is carried out, and its answer lost.
      recorder.spoilNext = (response) => response.socket!.destroy();
      const url = await recorder.start();
      game = spawn(program, [...args, url], { cwd: EXAMPLES, stdio: ['pipe', 'inherit', 'inherit'] });
    });
    after(() => {
      game?.kill('SIGKILL');
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

    it('pings three times a TTL, with all fields', async () => {
      const from = recorder.seen.length;
      const first = await recorder.next(from, isPing);
      const second = await recorder.next(from, (each) => isPing(each) && each !== first);
      expect(second.at - first.at).to.be.within(700, 1000 * TTL_S);
      expect(second.fields).to.include({ server_id: id, server_name: 'Frankfurt 1', players: 3 });
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
      const { fields, key: oldKey } = recorder.seen.find(isBroadcast)!;
      await ask(service, 'POST /remove', { body: { server_id: id, server_ip: fields['server_ip'] } });
      const { key } = await recorder.next(from, isBroadcast);
      expect(key).to.be.a('string').and.not.equal(oldKey);
      const ping = await recorder.next(from, (each) => isPing(each) && each.fields['server_id'] !== id);
      expect(await listedIds()).to.deep.equal([ping.fields['server_id']]);
    });

    it('is off the list when the game ends', async () => {
      client.stop(game);
      expect(await once(game, 'close')).to.deep.equal([0, null]);
      expect(await listedIds()).to.deep.equal([]);
    });
  });
}

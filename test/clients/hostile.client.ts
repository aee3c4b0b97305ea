/**
 * The clients for Python, C# and C before a service that does them harm. Each answer of support/hostile-answers.ts is
 * given to a broadcast, and in place of beacons: the client goes on, in bounded time and memory, and tells nobody what
 * it knows.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { listen } from '../support/listen.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { C } from './support/c.ts';
import { CSHARP } from './support/csharp.ts';
import { LISTING, PASSING, READ, WRONG, type HostileAnswer } from './support/hostile-answers.ts';
import { PYTHON } from './support/python.ts';

const KEY = 'a-key-that-is-secret';
const FIELDS = { server_host: 'a', server_name: 'b', server_port: 7777, players: 0, max_players: 2 };
const GOOD = JSON.stringify({ status: 'success', server_id: 'good' });
const LIST = JSON.stringify({ status: 'success', servers: [], removed: [], full: true, tag: '1' });
const TIMEOUT_MS = 300;
/** By far less than what the endless answers send; a list of 64 MiB takes the most. */
const MOST_GROWTH_KB = 400_000;

/** Answers the next request as it is told, and all later ones well. */
class HostileService {
  readonly requests: string[] = [];
  next: HostileAnswer | undefined;
  /** By path, in place of good answers. */
  always: Readonly<Record<string, HostileAnswer>> = {};
  /** A header of each good answer. */
  header = '';
  elsewhere = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const end = text.indexOf('\r\n\r\n') + 4;
      if (end < 4 || text.length < end + length) return;
      this.requests.push(text.slice(0, end + length));
      text = text.slice(end + length);
      const hostile = this.next ?? this.always[this.requests.at(-1)!.split(' ')[1]!];
      this.next = undefined;
      if (hostile !== undefined) hostile(socket, this.elsewhere);
      else {
        const good = this.requests.at(-1)!.startsWith('POST') ? GOOD : LIST;
        socket.write(`HTTP/1.1 200 OK\r\n${this.header}Content-Length: ${good.length}\r\n\r\n${good}`);
      }
    });
  });

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  open(): Promise<void> {
    return listen(this.#server, '127.0.0.1', 0);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

for (const client of [PYTHON, CSHARP, C])
  needs(...client.needs).describe(`the client for ${client.name} before a hostile service`, function () {
    this.timeout(60_000);
    const newPath = useDirectory();
    const service = new HostileService();
    const elsewhere = new HostileService();
    const program = { ended: false, lines: [] as string[] };
    let child: ChildProcess;
    let leastKb = 0;
    let log: string[] = [];
    let said: Record<string, unknown>[] = [];
    let now = 0;

    before(async () => {
      const folder = newPath();
      mkdirSync(folder);
      const [file, ...args] = await client.build(folder);
      await Promise.all([service.open(), elsewhere.open()]);
      service.elsewhere = elsewhere.port;
      child = spawn(file!, args);
      child.once('exit', () => (program.ended = true));
      child.stderr!.setEncoding('utf8').on('data', (text: string) => program.lines.push(text));
      createInterface({ input: child.stdout! }).on('line', (line) => {
        const each = JSON.parse(line) as Record<string, unknown>;
        said.push(each);
        if (typeof each['log'] === 'string') log.push(each['log']);
      });
      await told('ready');
      leastKb = memoryKb();
    });
    after(async () => {
      service.close();
      elsewhere.close();
      child.stdin!.end();
      if (!program.ended) await once(child, 'exit');
    });

    /** The most memory that the program has ever had. */
    const memoryKb = (): number =>
      Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);
    const tell = (line: object): void => void child.stdin!.write(`${JSON.stringify(line)}\n`);
    const told = async (name: string): Promise<unknown> => {
      let at = -1;
      await until(() => (at = said.findIndex((line) => name in line)) >= 0, program);
      const [line] = said.splice(0, at + 1).slice(-1);
      return line![name];
    };

    const expectHarmless = (): void => {
      expect(elsewhere.requests).to.deep.equal([]);
      expect(service.requests.join('')).to.not.match(/^Injected|evil|cookie/im);
      for (const line of log) {
        expect(line).to.not.include(KEY);
        expect(line.length).to.be.below(1200);
        expect(line).to.match(/^[A-Z][^\p{Cc}\u202e]*[.?!]$/u);
      }
      expect(program.lines.join('')).to.equal('');
      expect(memoryKb() - leastKb, 'kB of memory').to.be.below(MOST_GROWTH_KB);
    };

    /** Gives the answer to the broadcast of a new announcement, and good ones after it; then it is stopped. */
    async function live(answer: HostileAnswer, pings: number): Promise<void> {
      [log, said] = [[], []];
      service.requests.length = 0;
      service.next = answer;
      now += 1000;
      tell({
        start: {
          url: `http://127.0.0.1:${service.port}`,
          fields: FIELDS,
          key: KEY,
          timeout_ms: TIMEOUT_MS,
          now,
        },
      });
      for (let ping = 0; ping < pings; ping++) {
        const later = Number(await told('waits'));
        expect(later - now, 'the longest pause').to.be.at.most(3_600_000);
        now = later;
        tell({ now });
      }
      await told('waits');
      tell({ stop: true });
      await told('stopped');

      expectHarmless();
    }

    for (const [name, answer] of Object.entries(PASSING))
      it(`asks again after ${name}`, async () => {
        await live(answer, 1);
        expect(log[0]).to.match(/^The (service did not answer|service refused|answer)/);
        expect(log[1]).to.equal('The game server is listed as good.');
      });

    for (const [name, answer] of Object.entries(WRONG))
      it(`takes ${name} for no success`, async () => {
        await live(answer, 0);
        expect(log[0]).to.match(/^The (service did not answer|service refused|answer)/);
      });

    for (const [name, answer] of Object.entries(LISTING))
      it(`is listed after ${name}`, async () => {
        await live(answer, 1);
        expect(log[0]).to.match(/^The game server is listed as /);
      });

    /** Measures beacons, once. What is at these paths is no good, all else is. */
    async function measure(always: Readonly<Record<string, HostileAnswer>>): Promise<void> {
      [log, said] = [[], []];
      service.requests.length = 0;
      service.always = always;
      service.header = 'Server-Beacons: one\r\n';
      now += 1000;
      const url = `http://127.0.0.1:${service.port}`;
      tell({ start: { url, fields: FIELDS, key: KEY, timeout_ms: TIMEOUT_MS, now } });
      const isMeasuring = (): boolean => service.requests.some((each) => each.startsWith('GET /beacons '));
      for (let isOver = false; !isOver; isOver = isMeasuring()) {
        now = Number(await told('waits'));
        tell({ now });
        await until(() => isMeasuring() || said.some((line) => 'waits' in line), program);
      }
      await told('waits');
      now += 40_000;
      tell({ now });
      await told('waits');
      tell({ stop: true });
      await told('stopped');
      service.always = {};
      service.header = '';
      expect(log[0]).to.equal('The game server is listed as good.');
      expectHarmless();
    }

    for (const [name, answer] of Object.entries({ ...PASSING, ...WRONG }))
      it(`measures nothing after ${name}`, async () => {
        await measure({ '/beacons': answer });
        expect(service.requests.join('')).to.not.include('"latency"');
      });

    it('measures the beacon behind all that have these answers', async () => {
      const answers = Object.values({ ...PASSING, ...WRONG });
      for (let from = 0; from < answers.length; from += 15) {
        const part = answers.slice(from, from + 15);
        const ids = [...part.keys(), 'good'].map(String);
        const url = `http://127.0.0.1:${service.port}`;
        const beacons = ids.map((id) => ({ id, url: `${url}/beacon/${id}` }));
        const list = JSON.stringify({ status: 'success', beacons });
        await measure({
          '/beacons': (socket) =>
            socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${list.length}\r\n\r\n${list}`),
          ...Object.fromEntries(part.map((answer, id) => [`/beacon/${id}`, answer])),
        });
        const sent = service.requests.filter((each) => each.includes('"latency"')).join('');
        expect(sent).to.match(/"latency": ?\{[^}]*"good": ?\d+\}/);
        const toBeacons = service.requests.filter((each) => each.startsWith('GET /beacon/')).join('');
        expect(toBeacons).to.not.match(/authorization|server-token|cookie/i);
      }
    });

    const isAskedAgain = (): boolean => service.requests.length > 1;
    for (const [name, answer] of Object.entries(client === C ? {} : READ)) {
      const reading = (): object => {
        [log, said] = [[], []];
        service.requests.length = 0;
        service.next = answer;
        return { url: `http://127.0.0.1:${service.port}`, query: 'map=x', key: KEY, timeout_ms: TIMEOUT_MS };
      };

      it(`reads its list or fails, before ${name}`, async () => {
        tell({ find: reading() });
        await until(() => said.some((line) => 'servers' in line || 'failed' in line), program);
        expectHarmless();
      });

      it(`goes on to follow the list after ${name}`, async () => {
        now += 1000;
        tell({ watch: { ...reading(), now } });
        while (!isAskedAgain()) {
          await until(() => isAskedAgain() || said.some((line) => 'waits' in line), program);
          if (isAskedAgain()) break;
          now = Number(await told('waits'));
          tell({ now });
        }
        tell({ stop: true });
        await told('stopped');
        expectHarmless();
      });
    }
  });

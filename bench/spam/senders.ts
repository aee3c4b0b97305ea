/**
 * Many game servers at addresses of their own, which a trusted proxy would name: they broadcast as fast as they are
 * answered, and those that were listed ping, with their tokens.
 */

import { addDuration, createCounts, type Counts } from '../support/histogram.ts';
import { headerOf, HttpConnection, type Answer } from '../support/http-connection.ts';

export interface SendersOptions {
  readonly host: string;
  /** Of the replicas, which take the requests in turns. */
  readonly ports: readonly number[];
  /** How many broadcasts are under way at a time. */
  readonly broadcasting: number;
  readonly pingIntervalMs: number;
  /** What the names of the game servers begin with. */
  readonly name: string;
  /** From so many addresses, every other one of IPv6. */
  readonly addresses: number;
  /** The number of the first address. */
  readonly firstAddress: number;
  /** Whether a refused broadcast is sent again. */
  readonly isPatient: boolean;
}

/** What has happened since the beginning. */
export interface SendersReport {
  readonly listed: number;
  /** Broadcasts with an answer, whatever it was. */
  readonly answered: number;
  readonly broadcasts: Counts;
  /** From when a ping was due until its answer: a ping that waits for a connection counts from then. */
  readonly pings: Counts;
  /** Answers without success, by what was asked, status and code; status 0 where no answer came. */
  readonly refusals: ReadonlyMap<string, number>;
}

interface Listed {
  readonly ping: string;
  isPinging: boolean;
}

interface Sender {
  readonly connection: HttpConnection;
  /** Of the request under way. */
  onAnswer: (answer: Answer) => void;
}

/** Those of one replica that wait for nothing. */
type Free = Sender[];

const TICK_MS = 5;
const LONGEST_ANSWER_MS = 10_000;
const BETWEEN_CHECKS_MS = 1000;
/** Before a refused broadcast of a patient game server. */
const PAUSE_MS = 500;

export class Senders {
  readonly #options: SendersOptions;
  readonly #free: readonly Free[];
  readonly #all: Sender[] = [];
  readonly #listed: Listed[] = [];
  readonly #broadcasts = createCounts();
  readonly #pings = createCounts();
  readonly #refusals = new Map<string, number>();
  #next = 0;
  #end = 0;
  #answered = 0;
  /** The next of the listed to ping, and since when. */
  #turn = 0;
  #pingedAt = performance.now();

  constructor(options: SendersOptions) {
    this.#options = options;
    this.#free = options.ports.map(() => []);
    setInterval(() => this.#pingDue(), TICK_MS);
    setInterval(() => {
      for (const { connection } of this.#all) connection.checkDeadline(LONGEST_ANSWER_MS);
    }, BETWEEN_CHECKS_MS);
  }

  /** So many more game servers broadcast. */
  broadcast(count: number): void {
    const underWay = Math.min(this.#options.broadcasting, count);
    this.#end += count;
    for (let n = 0; n < underWay; n += 1) this.#broadcastNext();
  }

  report(): SendersReport {
    return {
      listed: this.#listed.length,
      answered: this.#answered,
      broadcasts: this.#broadcasts,
      pings: this.#pings,
      refusals: this.#refusals,
    };
  }

  #broadcastNext(): void {
    if (this.#next === this.#end) return;
    const n = this.#next;
    this.#next += 1;
    this.#broadcastOne(n);
  }

  #broadcastOne(n: number): void {
    const { ports, addresses, firstAddress, name, isPatient } = this.#options;
    const from = addressOf(firstAddress + (n % addresses), n);
    const fields =
      `"server_host":"${name}.example.com","server_name":"${name} ${n}","server_port":${1024 + (n % 60_000)},` +
      `"server_ip":"${from}","players":${n % 60},"max_players":64}`;
    const request = requestOf('/broadcast', from, 'claim', `{${fields}`);
    const sentAt = performance.now();
    this.#send(n % ports.length, request, (answer) => {
      addDuration(this.#broadcasts, performance.now() - sentAt);
      this.#answered += 1;
      if (answer.status !== 200) {
        this.#refuse('broadcast', answer);
        if (isPatient) {
          setTimeout(() => this.#broadcastOne(n), PAUSE_MS);
          return;
        }
      } else this.#list(from, fields, answer);
      this.#broadcastNext();
    });
  }

  #list(from: string, fields: string, { head, body }: Answer): void {
    const { server_id: id } = JSON.parse(body.toString()) as { server_id: string };
    const token = headerOf(head, 'server-token')!;
    const ping = requestOf('/ping', from, token, `{"server_id":"${id}",${fields}`);
    this.#listed.push({ ping, isPinging: false });
  }

  /** All listed ones once in an interval, one after the other. */
  #pingDue(): void {
    const now = performance.now();
    const gapMs = this.#options.pingIntervalMs / this.#listed.length;
    // Without any listed ones nothing is due for an endless time.
    for (; this.#pingedAt + gapMs <= now; this.#pingedAt += gapMs) this.#ping(this.#pingedAt + gapMs);
    if (this.#listed.length === 0) this.#pingedAt = now;
  }

  #ping(dueAt: number): void {
    this.#turn = (this.#turn + 1) % this.#listed.length;
    const one = this.#listed[this.#turn]!;
    if (one.isPinging) return;
    one.isPinging = true;
    this.#send(this.#turn % this.#free.length, one.ping, (answer) => {
      one.isPinging = false;
      addDuration(this.#pings, performance.now() - dueAt);
      if (answer.status !== 200) this.#refuse('ping', answer);
    });
  }

  #refuse(kind: string, { status, body }: Answer): void {
    const code = /"code":"(\w+)"/.exec(body.toString())?.[1] ?? '';
    const name = `${kind} ${status} ${code}`;
    this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1);
  }

  #send(replica: number, request: string, onAnswer: (answer: Answer) => void): void {
    const free = this.#free[replica]!;
    const sender = free.pop() ?? this.#open(replica, free);
    sender.onAnswer = onAnswer;
    sender.connection.send(request);
  }

  #open(replica: number, free: Free): Sender {
    const { host, ports } = this.#options;
    const connection = new HttpConnection(host, ports[replica]!, (answer) => {
      free.push(sender);
      sender.onAnswer(answer);
    });
    const sender: Sender = { connection, onAnswer: () => undefined };
    this.#all.push(sender);
    return sender;
  }
}

/** The n-th address. A client of IPv6 takes another address of its /64 for each request. */
function addressOf(n: number, request: number): string {
  if (n % 2 === 1) return `2600:1f18:${n.toString(16)}:7::${((request % 65_535) + 1).toString(16)}`;
  return `52.${Math.floor(n / 65_536) % 256}.${Math.floor(n / 256) % 256}.${n % 256}`;
}

function requestOf(path: string, from: string, token: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: spam\r\nX-Forwarded-For: ${from}\r\nServer-Token: ${token}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

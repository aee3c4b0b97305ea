/**
 * The recent refusals of this replica by the network of the client: for moderators, and for a person at that network
 * who asks why a game server is not listed. They are kept in memory alone, and their number is bounded.
 */

import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import type { Finding } from '../../model/findings.ts';
import type { Refused } from '../http/error-log.ts';
import { networkOf, parseIp, type IpAddress } from '../../model/net/ip.ts';

/** The refusals with this code to one network: their number, and the time of the last, ms since the epoch. */
export interface Refusals {
  readonly code: ErrorCode;
  readonly count: number;
  readonly at: number;
  /** The last refusal of a broadcast, a ping or a remove among them. */
  readonly write?: RefusedWrite | undefined;
}

export interface RefusedWrite {
  readonly at: number;
  /** The details of the very case, cut to MOST_SAID characters; undefined if there are none. */
  readonly about: string | undefined;
  /** The finding of the doctor, if that is more precise than the code. */
  readonly finding?: Finding | undefined;
  /** The address and the port that the game server announced, as far as they were read and could be. */
  readonly ip?: IpAddress | undefined;
  readonly port?: number | undefined;
}

const MOST_NETWORKS = 10_000;
const MOST_SAID = 200;
const WRITES: readonly unknown[] = ['/broadcast', '/ping', '/remove'];

export class RefusalRecord {
  /** The networks with their refusals; the one refused last is at the end. */
  readonly #networks = new Map<string, Map<ErrorCode, Refusals>>();
  readonly #now: () => number;

  /** `now`: ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers the code of a refusal for the address of the client, in canonical form (parseIp). */
  note(code: ErrorCode, address: string | undefined, refused?: Refused): void {
    // An error of the service says nothing of the client.
    if (address === undefined || ERRORS[code].status >= 500) return;
    const network = networkOf(address);
    const codes = this.#networks.get(network) ?? new Map<ErrorCode, Refusals>();
    const before = codes.get(code);
    const at = this.#now();
    const write =
      refused !== undefined && WRITES.includes(refused.path)
        ? { at, about: copyOf(refused.about), finding: refused.finding, ...announcedIn(refused.fields) }
        : before?.write;
    codes.set(code, { code, count: (before?.count ?? 0) + 1, at, ...(write && { write }) });
    this.#networks.delete(network);
    this.#networks.set(network, codes);
    if (this.#networks.size > MOST_NETWORKS) {
      const [oldest] = this.#networks.keys();
      this.#networks.delete(oldest!);
    }
  }

  /** The refusals to the network of this address. */
  of(address: string): readonly Refusals[] {
    return [...(this.#networks.get(networkOf(address))?.values() ?? [])];
  }

  /** The refused writes of the game servers at this network. */
  ofWrites(address: string): readonly (RefusedWrite & Pick<Refusals, 'code'>)[] {
    return this.of(address).flatMap(({ code, write }) => (write === undefined ? [] : [{ code, ...write }]));
  }
}

/** The address and the port in fields that nobody has validated. */
function announcedIn(fields: unknown): Pick<RefusedWrite, 'ip' | 'port'> {
  const { server_ip: ip, server_port: port } = Object(fields) as Readonly<Record<string, unknown>>;
  return {
    ip: typeof ip === 'string' ? parseIp(ip) : undefined,
    // GET /ping has it as text.
    port: typeof port === 'number' ? port : typeof port === 'string' ? Number(port) || undefined : undefined,
  };
}

/** The beginning of a text, as a copy that does not keep the rest in memory; undefined for an empty one. */
function copyOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.length <= MOST_SAID ? text : `${Buffer.from(text.slice(0, MOST_SAID - 1)).toString()}…`;
}

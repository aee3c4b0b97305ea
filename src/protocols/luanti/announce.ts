/**
 * Handles announcements: each is answered at once, and checked afterwards. This replica reports the outcome of the
 * check with the next announcement that arrives here (server.py: announce, asyncFinishThread, ErrorTracker).
 */

import { addressOf } from '../../model/address-of.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { EndpointRequest } from '../../api/http/route.ts';
import type { EntryLifetime } from '../../registry/native-entries.ts';
import type { GameServerId } from '../../model/game-server.ts';
import type { IpAddress } from '../../model/net/ip.ts';
import { entryIdOf } from '../identity.ts';
import { pause } from '../pause.ts';
import { describeRefusal, type ProtocolContext } from '../protocol.ts';
import { perNetwork, type CountRequest, type WindowLimit } from '../window-limit.ts';
import { isDomain, whyWrong } from './address.ts';
import { parseRequest, readForm, type Announced, type LuantiReply } from './announcement.ts';
import { createCheckServer, type CheckOptions, type CheckServer } from './check-server.ts';
import { Checks } from './checks.ts';
import { createListEntry, describeEntry, parseKept, type Before } from './list-entry.ts';

const INTERVAL_MS = 300_000;

/** PURGE_TIME of config-example.py: an interval, and what an announcement may be late. */
export const LUANTI_LIFETIME: EntryLifetime = { ttlMs: INTERVAL_MS + 30_000, silentBelowMs: 30_000 };

/** How long a trouble is kept, in ms: it is reported with the next announcement, and not with the one after it. */
const TROUBLE_MS = 1.5 * INTERVAL_MS;
/** How many troubles are remembered, since anyone may cause one; the oldest are dropped. */
const MOST_TROUBLES = 10_000;

/** Enough for the names of one host that starts anew. Whoever announces many names cannot have them all looked up. */
const NAMES_BY_NETWORK: WindowLimit = { requests: 10, windowS: 10 };

/** How often, and at which interval, a document is looked for that has not arrived yet. */
const MOST_LOOKS = 30;
const LOOK_MS = 100;

const reply = (status: number, text: string): LuantiReply => ({ status, text });

/** Without this refusal the proxy would be probed and listed. */
const BEHIND_A_PROXY = reply(
  400,
  'This list cannot tell your address: the request came through a proxy that it does not trust.',
);

/** The sender of an announcement, with its content. */
interface Announcer {
  readonly id: GameServerId;
  readonly ip: IpAddress;
  readonly announced: Announced;
}

export class Filing {
  readonly #context: ProtocolContext;
  readonly #timers: CheckOptions['timers'];
  readonly #elapsed: CheckOptions['elapsed'];
  readonly #checkServer: CheckServer;
  readonly #checks = new Checks();
  readonly #mayResolve: CountRequest;
  /** The trouble of each announcer (troubleKey), the oldest first, and until when it is reported. */
  readonly #troubles = new Map<string, { readonly text: string; readonly until: number }>();

  constructor(context: ProtocolContext, checkOptions: CheckOptions) {
    this.#context = context;
    this.#timers = checkOptions.timers;
    this.#elapsed = checkOptions.elapsed;
    this.#checkServer = createCheckServer(checkOptions);
    const { requests, windowS } = NAMES_BY_NETWORK;
    const part = Math.ceil(requests / context.options.workers);
    this.#mayResolve = perNetwork({ requests: part, windowS }, checkOptions.elapsed);
  }

  /** Rejects with a ServiceError when the registry cannot tell. */
  async take({ body, headers, client: { address: ip, doubt } }: EndpointRequest): Promise<LuantiReply> {
    const { secret, count, withdraw } = this.#context;
    const json = doubt === undefined ? await readForm(body!, headers['content-type']) : BEHIND_A_PROXY;
    const request = typeof json === 'string' ? parseRequest(json) : json;
    if ('status' in request) {
      count('invalid');
      return request;
    }
    const id = entryIdOf(secret(), 'luanti', ip, String(request.port));
    if (request.action !== 'delete') return this.#file({ id, ip, announced: request });
    this.#checks.cancel(id);
    return (await withdraw(id, addressOf(ip, request.port))) === 'withdrawn'
      ? reply(200, 'Removed from server list.')
      : reply(200, 'Server to remove not found.');
  }

  /** Cancels the checks that are under way. */
  close(): void {
    this.#checks.close();
  }

  async #file(announcer: Announcer): Promise<LuantiReply> {
    const refused = this.#whyRefused(announcer);
    if (refused !== undefined) {
      this.#context.count('refused');
      return refused;
    }
    const { id, ip } = announcer;
    const { staleSince } = await this.#context.registry.list();
    // If the registry failed to list the entry later, nobody would learn of it.
    if (staleSince !== undefined) throw new ServiceError('registry_unavailable');
    const trouble = this.#troubleOf(announcer);
    if (!this.#checks.add(id, ip, (signal) => this.#finish(announcer, signal))) {
      this.#context.count('limited');
      return reply(503, 'Too many servers are being checked. Try again later.');
    }
    return trouble === undefined ? reply(202, 'Request has been filed.') : reply(409, trouble);
  }

  #whyRefused({ id, ip, announced }: Announcer): LuantiReply | undefined {
    const { admit, options } = this.#context;
    const { action, address, said } = announced;
    const refusal = admit(id, describeEntry(announced, address || ip, ip), ip);
    if (refusal?.is === 'banned') return reply(403, `Banned: ${refusal.reason}`);
    if (refusal !== undefined) return reply(400, sentence(describeRefusal(refusal)));
    const wrong = address === '' ? undefined : whyWrong(address, options.publicAddressesOnly);
    if (wrong !== undefined) return reply(400, wrong);
    if (action === 'start') return undefined;
    const before = this.#before(id);
    if (before === undefined && said.uptime === 0) return reply(200, 'Server to update not found.');
    return before !== undefined && before.kept.uptime > said.uptime
      ? reply(400, 'Detected non-monotonic uptime.')
      : undefined;
  }

  /** Lists the game server if it answers. Never rejects, since nobody waits for it. */
  async #finish(announcer: Announcer, signal: AbortSignal): Promise<void> {
    try {
      const text = await this.#check(announcer, signal);
      if (text !== undefined) this.#remember(announcer, text);
    } catch (error) {
      // An entry that the registry could not list while unavailable comes again with the next announcement.
      if (signal.aborted || error instanceof ServiceError) return;
      this.#context.logger.error({ err: error }, 'a Luanti server could not be checked');
    }
  }

  #remember(announcer: Announcer, text: string): void {
    const key = troubleKey(announcer);
    this.#troubles.delete(key);
    this.#troubles.set(key, { text, until: this.#elapsed() + TROUBLE_MS });
    if (this.#troubles.size > MOST_TROUBLES) this.#troubles.delete(this.#troubles.keys().next().value!);
  }

  #troubleOf(announcer: Announcer): string | undefined {
    const trouble = this.#troubles.get(troubleKey(announcer));
    return trouble !== undefined && trouble.until > this.#elapsed() ? trouble.text : undefined;
  }

  /** Checks and lists the game server. Resolves with the text for its next announcement; undefined if there is none. */
  async #check({ id, ip, announced }: Announcer, signal: AbortSignal): Promise<string | undefined> {
    const { publish, count } = this.#context;
    count('challenged');
    const { address } = announced;
    const isUnresolved = isDomain(address) && !this.#mayResolve(ip);
    if (isUnresolved) count('unresolved');
    const target = { ip, port: announced.port, address: isUnresolved ? '' : address };
    const { checked, trouble = isUnresolved ? tooManyNames(ip, address) : undefined } =
      await this.#checkServer(target, signal);
    if (checked === undefined) {
      count('refused');
      return asError(trouble!);
    }
    const { document, kept } = createListEntry(announced, checked, await this.#wholeBefore(id, signal));
    const outcome = await publish(
      id,
      {
        protocol: 'luanti',
        lifetime: LUANTI_LIFETIME,
        link: addressOf(ip, announced.port),
        describe: () => describeEntry(announced, checked.address, ip, kept),
        document,
      },
      ip,
    );
    if (typeof outcome === 'object') return asError(sentence(describeRefusal(outcome)));
    return trouble && `Request has been filed, but there is a warning from the previous one:\n${trouble}`;
  }

  /** The state of the entry so far, with its document, which a replica that has just started must fetch first. */
  async #wholeBefore(id: GameServerId, signal: AbortSignal): Promise<Before | undefined> {
    for (let looks = 0; ; looks += 1) {
      const before = this.#before(id);
      if (before === undefined || before.document !== undefined || looks === MOST_LOOKS) return before;
      await pause(this.#timers, LOOK_MS, signal);
    }
  }

  #before(id: GameServerId): Before | undefined {
    const { registry } = this.#context;
    const entry = registry.known(id);
    const kept = parseKept(entry?.details.fields.kept);
    return entry && kept && { kept, document: registry.nativeEntries.documentOf(entry) };
  }
}

function tooManyNames(ip: IpAddress, name: string): string {
  const { requests, windowS } = NAMES_BY_NETWORK;
  return `at most ${requests} names of your network are looked up in ${windowS} s: ${ip} is listed instead of ${name}`;
}

function asError(trouble: string): string {
  return `Request has been filed, but the previous one encountered an error:\n${trouble}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The key of a trouble. The address is a part of it: a corrected address has no trouble yet. */
function troubleKey({ id, announced: { address } }: Announcer): string {
  return `luanti ${id} ${address}`;
}

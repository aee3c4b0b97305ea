/** The endpoints for moderators. They go through entries and bans as work that takes turns. */

import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../model/service-error.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import { createBanMatcher, type BanMatcher } from '../../registry/bans/ban-matcher.ts';
import { REACHED, type GameServerId, type ListedGameServer } from '../../model/game-server.ts';
import {
  withAudit,
  withBan,
  withoutBan,
  type Acting,
  type AuditLine,
  type Ban,
  type Decisions,
} from '../../registry/bans/decisions.ts';
import { Rope } from '../../runtime/bytes/rope.ts';
import { removedServer, renderBan, renderEntry, renderLine, renderRefusals, renderShown } from './bodies.ts';
import { createBanParser, createPageParser, cursorOf, parseAuthor } from './validation.ts';
import { jsonAnswer, type Answer } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import { createWhyNotReached, type VerifyOptions } from '../reachability/verification.ts';
import { pageOf } from './page-of.ts';
import type { RefusalRecord } from './refusal-record.ts';

export interface ModerationRoomOptions {
  /** Whether moderators have a key. */
  readonly hasAdminKey: boolean;
  readonly verify: VerifyOptions;
}

export interface ModerationContext extends Context {
  readonly options: ModerationRoomOptions;
  /** The refusals that the networks of clients met. */
  readonly refusals: RefusalRecord;
  /** The end of every cursor, by which the cursors of one registry are told from those of another. */
  readonly cursorMark: string;
}

const SUCCESS = { status: 'success' };

type ModerationEndpoints = Readonly<
  Record<'bans' | 'addBan' | 'removeBan' | 'audit' | 'allServers' | 'evict', Endpoint>
>;

export function createModerationEndpoints(context: ModerationContext): ModerationEndpoints {
  const { options, registry, currentList, turns, refusals, cursorMark, maskAddress, now } = context;
  const { moderation } = registry;
  const parseBan = createBanParser(now);
  const parsePage = createPageParser(cursorMark);
  const { hidesUnreached } = options.verify;
  const whyNotReached = createWhyNotReached(options.verify);

  function renderServer(row: ListedGameServer): object {
    return {
      ...renderEntry(row),
      client: maskAddress(row.client),
      ...renderShown(moderation.findBan(row), hidesUnreached && row.reachability !== REACHED),
      not_reached: whyNotReached(row)?.words,
      refusals: refusals.of(row.client).map(renderRefusals),
    };
  }

  function askerOf({ client, key }: EndpointRequest): Acting {
    const from = maskAddress(client.address);
    return { ...(from !== undefined && { from }), ...(key !== undefined && { key }) };
  }

  /** Makes an answer from the moderators' decisions at any replica: as current as a list, and marked if it is stale. */
  async function fromDecided(make: (decided: Decisions) => Promise<Answer>): Promise<Answer> {
    const listing = await registry.list();
    return currentList.marked(await make(moderation.decided), listing);
  }

  return {
    bans: (request) =>
      fromDecided(({ bans }) =>
        turns.run(request, () => listAnswer('bans', bans, renderBan, { count: bans.length })),
      ),

    async addBan(request) {
      const { fields } = request;
      // The id is hexadecimal: on a command line it never looks like a flag.
      const id = randomBytes(8).toString('hex');
      const ban: Ban = { ban: id, ...parseBan(fields), createdAt: now() };
      const entries = await registry.entries();
      // Matches are counted before the ban is in force, since it removes the entries that it refuses.
      const matches = await turns.run(request, () => countMatches(createBanMatcher([ban]), entries));
      await moderation.decide((decided) => withBan(decided, ban, askerOf(request)));
      return jsonAnswer({ ...SUCCESS, ...renderBan(ban), matches }, {}, 201);
    },

    async removeBan(request) {
      const { parameter, fields } = request;
      const author = parseAuthor(fields);
      let wasThere = false;
      await moderation.decide((decided) => {
        const without = withoutBan(decided, parameter!, author, now(), askerOf(request));
        // If a change is repeated, its first attempt may have been carried out.
        if (without === undefined && !wasThere) throw new ServiceError('unknown_ban');
        wasThere = true;
        return without ?? decided;
      });
      return jsonAnswer(SUCCESS);
    },

    audit: (request) =>
      fromDecided(({ audit }) =>
        turns.run(request, () => listAnswer('audit', audit.toReversed(), renderLine)),
      ),

    async allServers(request) {
      const page = parsePage(request.fields);
      const entries = await registry.entries();
      return turns.run(request, function* () {
        const { rows, count, isLast } = yield* pageOf(entries, page);
        const cursor = isLast ? undefined : cursorOf(rows.at(-1)!, cursorMark);
        return yield* listAnswer('servers', rows, renderServer, { count, cursor });
      });
    },

    async evict(request) {
      const { parameter, fields } = request;
      const author = parseAuthor(fields);
      const entries = await registry.entries();
      const known = await turns.run(request, () => find(entries, parameter!));
      if ((await registry.evict(parameter!)) === 'unknown') throw new ServiceError('unknown_server');
      const line: AuditLine = {
        at: now(),
        author,
        ...askerOf(request),
        action: 'server_removed',
        server: known === undefined ? { id: parameter! } : removedServer(known),
      };
      await moderation.decide((decided) => withAudit(decided, line));
      return jsonAnswer(SUCCESS);
    },
  };
}

function* countMatches(matcher: BanMatcher, entries: Iterable<ListedGameServer>): Work<number> {
  let matches = 0;
  let seen = 0;
  for (const entry of entries) {
    if (matcher.find(entry) !== undefined) matches += 1;
    if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
  }
  return matches;
}

function* find(entries: Iterable<ListedGameServer>, id: GameServerId): Work<ListedGameServer | undefined> {
  let seen = 0;
  for (const entry of entries) {
    if (entry.id === id) return entry;
    if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
  }
  return undefined;
}

/** A success with all of these under a name, and `more` behind them. */
function* listAnswer<T>(
  name: string,
  all: readonly T[],
  render: (each: T) => object,
  more: object = {},
): Work<Answer> {
  const texts: string[] = [];
  for (const each of all) if (texts.push(JSON.stringify(render(each))) % ROWS_AT_ONCE === 0) yield;
  const behind = JSON.stringify(more).slice(1);
  const body = `{"status":"success","${name}":[${texts.join(',')}]${behind === '}' ? '' : ','}${behind}`;
  return jsonAnswer(new Rope([Buffer.from(body)]));
}

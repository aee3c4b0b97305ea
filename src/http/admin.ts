/**
 * The endpoints of moderators: bans, the audit, and all entries with what only moderators see of them. Knows neither Koa
 * nor sockets, nor which key opens these endpoints.
 */

import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import { createBanMatcher, type BanMatcher } from '../registry/ban-matcher.ts';
import { REACHED, type GameServerId, type ListedGameServer } from '../registry/game-server.ts';
import { inTurns } from '../registry/in-turns.ts';
import { withAudit, withBan, withoutBan, type AuditLine, type Ban } from '../registry/moderation.ts';
import type { Registry } from '../registry/registry.ts';
import {
  removedServer,
  renderBan,
  renderEntry,
  renderLine,
  renderRefusals,
  renderShown,
} from './admin-bodies.ts';
import { createBanParser, cursorOf, parseAuthor, parsePage } from './admin-validation.ts';
import { jsonAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { pageOf } from './page-of.ts';
import type { Refusals } from './refusal-record.ts';

export interface AdminEndpointsOptions {
  readonly registry: Pick<Registry, 'moderation' | 'moderate' | 'findBan' | 'entries' | 'evict'>;
  /** Whether the list does not show entries that have not been reached. */
  readonly hidesUnreached: boolean;
  /** In words, why an entry does not count as reached; undefined if it does, or if nothing is verified. */
  readonly whyNotReached: (entry: ListedGameServer) => string | undefined;
  /** What was refused to the network of an address. */
  readonly refusalsOf: (address: string) => readonly Refusals[];
  /** An address of a client as far as it may be shown and kept. */
  readonly maskAddress: (address: string) => string | undefined;
  /** ms since the epoch. */
  readonly now: () => number;
}

export type AdminEndpoints = Readonly<
  Record<'bans' | 'addBan' | 'removeBan' | 'audit' | 'allServers' | 'evict', Endpoint>
>;

const SUCCESS = { status: 'success' };

export function createAdminEndpoints(options: AdminEndpointsOptions): AdminEndpoints {
  const { registry, hidesUnreached, whyNotReached, refusalsOf, maskAddress, now } = options;
  const parseBan = createBanParser(now);

  async function entry(id: GameServerId): Promise<ListedGameServer | undefined> {
    for await (const each of inTurns(await registry.entries())) if (each.id === id) return each;
    return undefined;
  }

  return {
    async bans() {
      const { bans } = registry.moderation;
      return jsonAnswer({ ...SUCCESS, bans: bans.map(renderBan), count: bans.length });
    },

    async addBan({ fields, client }) {
      // Hexadecimal: on a command line no id looks like a flag.
      const id = randomBytes(8).toString('hex');
      const ban: Ban = { ban: id, ...parseBan(fields), createdAt: now() };
      // Before the ban is in force: then the entries that it refuses are gone.
      const matches = await countMatches(createBanMatcher([ban]), await registry.entries());
      await registry.moderate((moderation) => withBan(moderation, ban, maskAddress(client.address)));
      return jsonAnswer({ ...SUCCESS, ...renderBan(ban), matches }, {}, 201);
    },

    async removeBan({ parameter, fields, client }) {
      const author = parseAuthor(fields);
      let wasThere = false;
      await registry.moderate((moderation) => {
        const from = maskAddress(client.address);
        const without = withoutBan(moderation, parameter!, author, now(), from);
        // Of a change that is repeated the first attempt may have been carried out.
        if (without === undefined && !wasThere) throw new ServiceError('unknown_ban');
        wasThere = true;
        return without ?? moderation;
      });
      return jsonAnswer(SUCCESS);
    },

    async audit() {
      return jsonAnswer({ ...SUCCESS, audit: registry.moderation.audit.toReversed().map(renderLine) });
    },

    async allServers({ fields }) {
      const page = parsePage(fields);
      const { rows, count, isLast } = await pageOf(await registry.entries(), page);
      const servers = rows.map((row) => ({
        ...renderEntry(row),
        client: maskAddress(row.client),
        ...renderShown(registry.findBan(row), hidesUnreached && row.reachability !== REACHED),
        not_reached: whyNotReached(row),
        refusals: refusalsOf(row.client).map(renderRefusals),
      }));
      const cursor = isLast ? undefined : cursorOf(rows.at(-1)!);
      return jsonAnswer({ ...SUCCESS, servers, count, cursor });
    },

    async evict({ parameter, fields, client }) {
      const author = parseAuthor(fields);
      const known = await entry(parameter!);
      if ((await registry.evict(parameter!)) === 'unknown') throw new ServiceError('unknown_server');
      const from = maskAddress(client.address);
      const line: AuditLine = {
        at: now(),
        author,
        ...(from !== undefined && { from }),
        action: 'server_removed',
        server: known === undefined ? { id: parameter! } : removedServer(known),
      };
      await registry.moderate((moderation) => withAudit(moderation, line));
      return jsonAnswer(SUCCESS);
    },
  };
}

async function countMatches(matcher: BanMatcher, entries: Iterable<ListedGameServer>): Promise<number> {
  let matches = 0;
  for await (const entry of inTurns(entries)) if (matcher.find(entry) !== undefined) matches += 1;
  return matches;
}

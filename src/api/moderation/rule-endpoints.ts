/** The endpoints for bans and labels: what they are, what one would match, and the audit. */

import { hash, randomBytes } from 'node:crypto';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import { ServiceError } from '../../model/service-error.ts';
import {
  withBan,
  withLabel,
  withoutBan,
  withoutLabel,
  type Ban,
  type Decisions,
  type LabelRule,
  type Patterns,
} from '../../registry/decisions/decisions.ts';
import { createRuleMatcher } from '../../registry/decisions/rule-matcher.ts';
import { jsonAnswer, type Answer } from '../http/answer.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import { createLineRenderer, renderBan, renderLabel } from './bodies.ts';
import { createNetworkOf } from './entry-facts.ts';
import { askerOf, authorOf, listAnswer, DONE, type ModerationContext } from './moderation-context.ts';
import { hiddenByReports } from './report-ban.ts';
import { createRuleParsers } from './validation.ts';

/** How many of the entries that match a preview names. */
const MOST_NAMED = 20;

type RuleEndpoints = Readonly<
  Record<
    'bans' | 'addBan' | 'removeBan' | 'labels' | 'addLabel' | 'removeLabel' | 'preview' | 'audit',
    Endpoint
  >
>;

export function createRuleEndpoints(context: ModerationContext): RuleEndpoints {
  const { options, registry, currentList, turns, tokens, now } = context;
  const { moderation } = registry;
  const parse = createRuleParsers(now, options.labels);

  /** Makes an answer from the moderators' decisions at any replica: as current as a list, and marked if it is stale. */
  async function fromDecided(make: (decided: Decisions) => Promise<Answer>): Promise<Answer> {
    const listing = await registry.list();
    return currentList.marked(await make(moderation.decided), listing);
  }

  const isShown = (row: ListedGameServer): boolean => moderation.findBan(row) === undefined;

  /** Counts the entries that match these patterns now. `of`: the entry that the rule is about. */
  async function matching(patterns: Patterns, request: EndpointRequest, of?: GameServerId): Promise<Matches> {
    const entries = await registry.entries();
    const own = of === undefined ? undefined : registry.known(of)?.client;
    return turns.run(request, () => countMatches(patterns, entries, isShown, own));
  }

  /** The id of the entry whose token has this hash. */
  async function idOfToken(tokenHash: string, request: EndpointRequest): Promise<GameServerId> {
    const entries = await registry.entries();
    const isIts = ({ id }: ListedGameServer): boolean => hash('sha256', tokens.issue(id)) === tokenHash;
    const id = await turns.run(request, () => findFirst(entries, isIts));
    if (id === undefined)
      throw new ServiceError('unknown_server', { message: 'no entry that is listed now has this token' });
    return id;
  }

  /** Takes back the decision that `without` takes out of all. */
  async function takeBack(
    code: 'unknown_ban' | 'unknown_label',
    without: (decided: Decisions) => Decisions | undefined,
  ): Promise<Answer> {
    let wasThere = false;
    await moderation.decide((decided) => {
      const next = without(decided);
      // If a change is repeated, its first attempt may have been carried out.
      if (next === undefined && !wasThere) throw new ServiceError(code);
      wasThere = true;
      return next ?? decided;
    });
    return jsonAnswer(DONE);
  }

  const asker = (request: EndpointRequest) => askerOf(request, context.maskAddress);

  return {
    bans: (request) =>
      fromDecided(({ bans }) =>
        turns.run(request, () => listAnswer('bans', bans, asText(renderBan), { count: bans.length })),
      ),

    async addBan(request) {
      const given = parse.ban(request.fields);
      const { moderator = given.author } = request;
      const ban: Ban = { ban: newId(), ...given, author: moderator, createdAt: now() };
      // Matches are counted before the ban is in force, since it removes the entries that it refuses.
      const { matches } = await matching(ban, request);
      await moderation.decide((decided) => withBan(decided, ban, asker(request)));
      return jsonAnswer({ ...DONE, ...renderBan(ban), matches }, {}, 201);
    },

    removeBan: async (request) => {
      const author = authorOf(request, request.fields);
      const lifted = moderation.decided.bans.find(({ ban }) => ban === request.parameter);
      const answer = await takeBack('unknown_ban', (decided) =>
        withoutBan(decided, request.parameter!, author, now(), asker(request)),
      );
      const id = lifted && hiddenByReports(lifted);
      // Whoever lifts it has looked: the next report must not hide the entry again.
      if (id !== undefined) await registry.reports.dismiss(id);
      return answer;
    },

    labels: (request) =>
      fromDecided(({ labels }) =>
        turns.run(request, () => listAnswer('labels', labels, asText(renderLabel), { count: labels.length })),
      ),

    async addLabel(request) {
      const { tokenHash, ...given } = parse.label(request.fields);
      const { moderator = given.author } = request;
      // A game server that has a token keeps its id.
      const id = tokenHash === undefined ? given.id : await idOfToken(tokenHash, request);
      if (given.id !== undefined && id !== given.id)
        throw new ServiceError('unknown_server', { message: 'the entry with this id has another token' });
      const about = { rule: newId(), ...given, ...(id !== undefined && { id }) };
      const label: LabelRule = { ...about, author: moderator, createdAt: now() };
      const { matches } = await matching(label, request);
      await moderation.decide((decided) => withLabel(decided, label, asker(request)));
      return jsonAnswer({ ...DONE, ...renderLabel(label), matches }, {}, 201);
    },

    removeLabel: async (request) => {
      const author = authorOf(request, request.fields);
      return takeBack('unknown_label', (decided) =>
        withoutLabel(decided, request.parameter!, author, now(), asker(request)),
      );
    },

    async preview(request) {
      const { of, ...patterns } = parse.preview(request.fields);
      return jsonAnswer({ ...DONE, ...(await matching(patterns, request, of)) });
    },

    audit: (request) =>
      fromDecided((decided) =>
        turns.run(request, () =>
          listAnswer('audit', decided.audit.toReversed(), asText(createLineRenderer(decided))),
        ),
      ),
  };
}

const asText =
  <T>(render: (each: T) => object) =>
  (each: T): string =>
    JSON.stringify(render(each));

/** It is hexadecimal: on a command line it never looks like a flag. */
function newId(): string {
  return randomBytes(8).toString('hex');
}

/** What a rule would match, as the answer to a preview has it. */
interface Matches {
  readonly matches: number;
  readonly shown: number;
  readonly networks: number;
  readonly other_networks: number | undefined;
  readonly servers: readonly Pick<ListedGameServer, 'id' | 'name' | 'host'>[];
}

function* countMatches(
  patterns: Patterns,
  entries: Iterable<ListedGameServer>,
  isShown: (row: ListedGameServer) => boolean,
  ownClient: string | undefined,
): Work<Matches> {
  const matcher = createRuleMatcher([patterns]);
  const networkOf = createNetworkOf();
  const own = ownClient === undefined || ownClient === '' ? undefined : networkOf(ownClient);
  const networks = new Set<string>();
  const servers: Pick<ListedGameServer, 'id' | 'name' | 'host'>[] = [];
  let [seen, matches, shown, others] = [0, 0, 0, 0];
  for (const row of entries) {
    if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
    if (matcher.find(row) === undefined) continue;
    const network = networkOf(row.client);
    matches += 1;
    networks.add(network);
    if (isShown(row)) shown += 1;
    if (network !== own) others += 1;
    if (servers.length < MOST_NAMED) servers.push({ id: row.id, name: row.name, host: row.host });
  }
  const otherNetworks = own === undefined ? undefined : others;
  return { matches, shown, networks: networks.size, other_networks: otherNetworks, servers };
}

function* findFirst(
  entries: Iterable<ListedGameServer>,
  isWanted: (entry: ListedGameServer) => boolean,
): Work<GameServerId | undefined> {
  let seen = 0;
  for (const entry of entries) {
    if (isWanted(entry)) return entry.id;
    if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
  }
  return undefined;
}

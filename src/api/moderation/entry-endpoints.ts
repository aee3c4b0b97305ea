/** The endpoints for entries, with what only moderators see, and for what readers reported of them. */

import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import { comparableHost } from '../../model/comparable.ts';
import { comparableName } from '../../model/fold.ts';
import { ServiceError } from '../../model/service-error.ts';
import {
  withAudit,
  type AuditLine,
  type Decisions,
  type RemovedServer,
} from '../../registry/decisions/decisions.ts';
import { parsePageQuery } from '../find/page-query.ts';
import { jsonAnswer } from '../http/answer.ts';
import type { Endpoint, EndpointRequest } from '../http/route.ts';
import { timeText } from '../http/time-text.ts';
import { createWhyNotReached } from '../reachability/verification.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import { createLineRenderer, removedServer, renderEntry, renderVoices } from './bodies.ts';
import { foundBy, type EntryFacts } from './entry-facts.ts';
import {
  askerOf,
  authorOf,
  factsNow,
  listAnswer,
  DONE,
  type ModerationContext,
} from './moderation-context.ts';
import { pageOf } from './page-of.ts';
import { withoutReportBan } from './report-ban.ts';

/** How many neighbours of each kind are named. */
const MOST_NEIGHBOURS = 20;

type EntryEndpoints = Readonly<
  Record<'me' | 'entries' | 'entry' | 'evict' | 'reports' | 'dismiss', Endpoint>
>;

export function createEntryEndpoints(context: ModerationContext): EntryEndpoints {
  const { options, registry, turns, refusals, said, cursorMark, now } = context;
  const { moderation } = registry;
  const { labels, reports, verify } = options;
  const whyNotReached = createWhyNotReached(verify);

  const render = (row: ListedGameServer, facts: EntryFacts): string =>
    renderEntry(row, facts, whyNotReached(row)?.words, refusals.of(row.client));

  /** Adds a line about the entry to the audit, and changes the decisions. */
  async function note(
    action: 'server_removed' | 'reports_dismissed',
    request: EndpointRequest,
    server: RemovedServer,
    change: (decided: Decisions, line: AuditLine) => Decisions = withAudit,
  ): Promise<void> {
    const author = authorOf(request, request.fields);
    const asker = askerOf(request, context.maskAddress);
    const line: AuditLine = { at: now(), author, ...asker, action, server };
    await moderation.decide((decided) => change(decided, line));
  }

  return {
    me: async ({ moderator }) =>
      jsonAnswer({
        ...DONE,
        moderator,
        labels,
        reasons: reports.reasons,
        reports_hide: reports.hides,
        verify: verify.kind,
      }),

    async entries(request) {
      const factsOf = await factsNow(context);
      const query = parsePageQuery(request.query, cursorMark, foundBy(factsOf));
      const entries = await registry.entries();
      return turns.run(request, function* () {
        const { rows, count, total, isLast } = yield* pageOf(entries, query);
        const cursor = isLast ? undefined : query.order.cursorAfter(rows.at(-1)!) + cursorMark;
        return yield* listAnswer('servers', rows, (row) => render(row, factsOf(row)), {
          count,
          total,
          cursor,
        });
      });
    },

    async entry(request) {
      const id = request.parameter!;
      const factsOf = await factsNow(context);
      const entries = await registry.entries();
      const entry = registry.known(id);
      if (entry === undefined)
        throw new ServiceError('unknown_server', { message: 'no entry is listed under this id' });
      return turns.run(request, function* () {
        const neighbours = yield* neighboursOf(entry, entries, factsOf);
        const lines = moderation.decided.audit.filter((line) => isAbout(line, id, factsOf(entry)));
        return jsonAnswer({
          ...DONE,
          server: JSON.parse(render(entry, factsOf(entry))) as object,
          said: said.of(id).map(({ at, ...state }) => ({ at: timeText(at), ...state })),
          neighbours,
          audit: lines.toReversed().map(createLineRenderer(moderation.decided)),
        });
      });
    },

    async evict(request) {
      const id = request.parameter!;
      // The author is checked before anything is done.
      authorOf(request, request.fields);
      const known = registry.known(id);
      if ((await registry.evict(id)) === 'unknown') throw new ServiceError('unknown_server');
      await note('server_removed', request, known === undefined ? { id } : removedServer(known));
      return jsonAnswer(DONE);
    },

    async reports(request) {
      const all = [...(await registry.reports.all())];
      const most = all.toSorted(([, a], [, b]) => b.length - a.length || b.at(-1)!.at - a.at(-1)!.at);
      return turns.run(request, () =>
        listAnswer(
          'reports',
          most,
          ([id, voices]) => {
            const known = registry.known(id);
            const hiding = known && moderation.findBan(known);
            return JSON.stringify({
              server: known ? removedServer(known) : { id },
              ban: hiding?.ban,
              ...renderVoices(voices),
            });
          },
          { count: most.length },
        ),
      );
    },

    async dismiss(request) {
      const id = request.parameter!;
      authorOf(request, request.fields);
      if (!(await registry.reports.all()).has(id))
        throw new ServiceError('unknown_server', { message: 'nothing is reported of an entry with this id' });
      await registry.reports.dismiss(id);
      const known = registry.known(id);
      const server = known === undefined ? { id } : removedServer(known);
      await note('reports_dismissed', request, server, (decided, line) =>
        withAudit(withoutReportBan(decided, id), line),
      );
      return jsonAnswer(DONE);
    },
  };
}

interface Neighbours {
  readonly count: number;
  readonly servers: readonly object[];
}

/** The other entries with the same network, host and name. */
function* neighboursOf(
  entry: ListedGameServer,
  entries: Iterable<ListedGameServer>,
  factsOf: (row: ListedGameServer) => EntryFacts,
): Work<Readonly<Record<'network' | 'host' | 'name', Neighbours>>> {
  const { network } = factsOf(entry);
  const [host, name] = [comparableHost(entry.host), comparableName(entry.name)];
  const kinds: Readonly<Record<'network' | 'host' | 'name', (row: ListedGameServer) => boolean>> = {
    network: (row) => network !== undefined && factsOf(row).network === network,
    host: (row) => comparableHost(row.host) === host,
    name: (row) => comparableName(row.name) === name,
  };
  const found = { network: 0, host: 0, name: 0 };
  const named: Record<keyof typeof kinds, object[]> = { network: [], host: [], name: [] };
  let seen = 0;
  for (const row of entries) {
    if ((seen += 1) % ROWS_AT_ONCE === 0) yield;
    if (row.id === entry.id) continue;
    for (const kind of ['network', 'host', 'name'] as const) {
      if (!kinds[kind](row)) continue;
      found[kind] += 1;
      const { hiddenBy } = factsOf(row);
      if (named[kind].length < MOST_NEIGHBOURS)
        named[kind].push({ ...removedServer(row), shown: hiddenBy === undefined });
    }
  }
  const neighbours = (kind: keyof typeof kinds): Neighbours => ({ count: found[kind], servers: named[kind] });
  return { network: neighbours('network'), host: neighbours('host'), name: neighbours('name') };
}

/** Whether a line of the audit is about this entry: by its id, or by the ban that holds for it. */
function isAbout(line: AuditLine, id: GameServerId, { ban }: EntryFacts): boolean {
  if ('server' in line) return line.server.id === id;
  if ('label' in line) return line.label.id === id;
  return line.ban.id === id || line.ban.ban === ban?.ban;
}

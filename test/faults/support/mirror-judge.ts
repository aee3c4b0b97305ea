/**
 * Judges the lists of mirrors by what their origins show. It watches each origin itself, from nearby, and knows nothing
 * of how a mirror works: here the rule of the merge stands a second time.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../support/ask.ts';
import type { ShownServer, ToldChanges } from '../../support/follow-changes.ts';
import { now } from '../../support/load/recorder.ts';
import type { Mirror, Name, Region } from './regions.ts';

/** A game server as `GET /changes?include=meta` of an origin tells it. */
interface Shown extends ShownServer {
  readonly ip: string;
  readonly port: number;
  readonly registered_at: string;
}

/** The same in a mirror. */
interface Row extends Shown {
  readonly origin: Name;
}

/** One thing that an origin has said of an entry. It was shown at some moment from `from` to `to`. */
interface Version {
  readonly text: string;
  readonly from: number;
  to: number;
}

/** An entry at one address. It was shown all the time from `from` to `to`. */
interface Stay {
  readonly address: string;
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

interface Known {
  versions: Version[];
  stays: Stay[];
}

/** What is known of an origin. */
interface Watched {
  readonly entries: Map<string, Known>;
  /** When it was not watched: what it showed in between, and no more, is not known. */
  readonly gaps: { readonly from: number; readonly to: number }[];
  /** When the last question was sent that was answered. */
  lookedAt: number;
}

/** A mirror may not have known what an origin said, as one of the two was away, or what is between them. */
interface Absence {
  /** What was away. A mirror that is back may have an older list. */
  readonly of: 'mirror' | 'origin' | 'way';
  readonly mirror: string;
  readonly origin: Name;
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

interface Sample {
  readonly mirror: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly rows: readonly Row[];
  readonly isMarked: boolean;
}

/** What was shown longer ago is forgotten: longer than all absences in a row. */
const REMEMBERED_MS = 150_000;
/** How often a mirror keeps its list: one that is killed comes back with one so old. */
const KEPT_MS = 60_000;
const WATCH_INTERVAL_MS = 100;
/** No game server says two things in less. */
const LONGEST_GAP_MS = 400;
/** A sample is judged once what its origins showed at that time is surely known. */
const JUDGED_AFTER_MS = 1500;
/** What a mirror takes to notice that an origin is silent, and to say so. */
const NOTICED_AFTER_MS = 8000;
const GIVE_UP_MS = 3000;
const WHOLE = 'GET /changes?include=meta';

export interface MirrorJudgeOptions {
  readonly regions: readonly Region[];
  readonly mirrors: readonly Mirror[];
  readonly sampleIntervalMs: number;
  /** How late a mirror may be. */
  readonly mostDelayMs: number;
}

export class MirrorJudge {
  /** How many lists were judged. */
  lists = 0;
  #reasons: string[] = [];
  #judging = new Set<Promise<void>>();
  readonly #absences: Absence[] = [];
  readonly #options: MirrorJudgeOptions;
  readonly #watched = new Map<Name, Watched>();
  readonly #stopping = new AbortController();
  readonly #working: Promise<void>[];

  constructor(options: MirrorJudgeOptions) {
    this.#options = options;
    const { regions, mirrors, sampleIntervalMs } = options;
    this.#working = [
      ...regions.map((region) => this.#watch(region)),
      ...mirrors.map(async (mirror) => {
        while (await this.#pause(sampleIntervalMs)) await this.#sample(mirror);
      }),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#working);
    await Promise.all(this.#judging);
  }

  reset(): void {
    this.lists = 0;
    this.#reasons = [];
  }

  /** What was wrong with all lists until now, in sentences. */
  async judged(): Promise<readonly string[]> {
    await Promise.all(this.#judging);
    return this.#reasons;
  }

  /** From now until the returned function is called these mirrors may not know what these origins say. */
  away(of: Absence['of'], mirrors: readonly Mirror[], origins: readonly Name[]): () => void {
    const from = now() - (of === 'mirror' ? KEPT_MS : 0);
    const absences = mirrors.flatMap(({ name: mirror }) =>
      origins.map((origin): Absence => ({ of, mirror, origin, from, to: Infinity })),
    );
    this.#absences.push(...absences);
    return () => {
      for (const absence of absences) absence.to = now();
    };
  }

  /**
   * What differs between the lists of the mirrors and the union of the origins at this moment, in sentences. All of
   * them have to serve, and to be current.
   */
  async differences(): Promise<readonly string[]> {
    const { regions, mirrors } = this.#options;
    const lists = await Promise.all(
      regions.map(async ({ name, replica }) => {
        const { servers, isMarked } = await listOf(replica);
        return { isMarked, rows: servers.map((server): Row => ({ ...server, origin: name })) };
      }),
    );
    if (lists.some(({ isMarked }) => isMarked)) return ['an origin is not current'];
    const union = new Map(unionOf(lists.flatMap(({ rows }) => rows)).map((row) => [row.id, textOf(row)]));
    const found = await Promise.all(
      mirrors.map(async ({ name, replica }) => {
        const { servers, isMarked } = await listOf(replica);
        if (isMarked) return [`${name} is not current`];
        const had = new Map(servers.map((row) => [row.id, textOf(row)]));
        const wrong = [...new Set([...union.keys(), ...had.keys()])].filter(
          (id) => had.get(id) !== union.get(id),
        );
        const [id = ''] = wrong;
        return wrong.length === 0
          ? []
          : [`${name} differs in ${wrong.length} rows, as ${had.get(id)}, not ${union.get(id)}`];
      }),
    );
    return found.flat();
  }

  /** Reads the list of an origin again and again, and notes what it shows. */
  async #watch({ name, replica }: Region): Promise<void> {
    const watched: Watched = { entries: new Map(), gaps: [], lookedAt: now() };
    this.#watched.set(name, watched);
    let tag = '';
    while (await this.#pause(WATCH_INTERVAL_MS)) {
      const sentAt = now();
      const answer = await ask(replica, `${WHOLE}&since=${tag}`, { giveUpAfterMs: GIVE_UP_MS }).catch(
        () => undefined,
      );
      if (answer?.status !== 200) continue;
      const told = JSON.parse(answer.text) as ToldChanges;
      const answeredAt = now();
      const before = watched.lookedAt;
      this.#note(watched.entries, told, { before, sentAt, answeredAt });
      if (answeredAt - before > LONGEST_GAP_MS) watched.gaps.push({ from: before, to: answeredAt });
      ({ tag } = told);
      watched.lookedAt = sentAt;
    }
  }

  /** `before`: when the last question was sent that was answered. */
  #note(
    known: Map<string, Known>,
    { servers, removed, full }: ToldChanges,
    { before, sentAt, answeredAt }: Readonly<Record<'before' | 'sentAt' | 'answeredAt', number>>,
  ): void {
    const isTold = new Set(servers.map(({ id }) => id));
    const end = ({ versions, stays }: Known): void => {
      if (versions.at(-1)?.to === Infinity) versions.at(-1)!.to = answeredAt;
      if (stays.at(-1)?.to === Infinity) stays.at(-1)!.to = before;
    };
    for (const id of full ? [...known.keys()].filter((each) => !isTold.has(each)) : removed)
      if (known.has(id)) end(known.get(id)!);
    for (const server of servers as readonly Shown[]) {
      const its = known.get(server.id) ?? { versions: [], stays: [] };
      known.set(server.id, its);
      const [text, address] = [textOf(server), addressOf(server)];
      const [version, stay] = [its.versions.at(-1), its.stays.at(-1)];
      if (version?.to === Infinity && version.text === text) continue;
      const stays = stay?.to === Infinity && stay.address === address;
      if (stays) version!.to = answeredAt;
      else end(its);
      its.versions.push({ text, from: before, to: Infinity });
      if (!stays) its.stays.push({ address, from: answeredAt, to: Infinity });
    }
    const oldest = sentAt - REMEMBERED_MS;
    for (const [id, its] of known) {
      if ((its.versions[0]?.to ?? 0) > oldest) continue;
      its.versions = its.versions.filter(({ to }) => to > oldest);
      its.stays = its.stays.filter(({ to }) => to > oldest);
      if (its.versions.length === 0) known.delete(id);
    }
  }

  async #sample({ name, replica }: Mirror): Promise<void> {
    if (!replica.isServing) return;
    const sentAt = now();
    const list = await listOf(replica).catch((error: Error) => error);
    if (!replica.isServing) return;
    if (list instanceof Error) return void this.#reasons.push(`${name} gave no list: ${list.message}`);
    const { servers, isMarked } = list;
    const sample: Sample = { mirror: name, sentAt, answeredAt: now(), rows: servers as Row[], isMarked };
    this.lists += 1;
    const judging = delay(JUDGED_AFTER_MS).then(() => this.#judge(sample));
    this.#judging.add(judging);
    void judging.then(() => this.#judging.delete(judging));
  }

  #judge({ mirror, sentAt, answeredAt, rows, isMarked }: Sample): void {
    const about = new Map(
      this.#options.regions.map(({ name }) => [name, this.#since(mirror, name, sentAt, answeredAt)]),
    );
    const say = (what: string): void => {
      const windows = [...about]
        .map(([name, since]) => `${name} ${Math.round(sentAt - since)} ms`)
        .join(', ');
      this.#reasons.push(`${mirror} ${what} (by what was shown within: ${windows})`);
    };
    const holders = new Map<string, Name>();
    for (const row of rows) {
      const address = addressOf(row);
      if ((holders.get(address) ?? row.origin) !== row.origin) say(`has two rows of ${address}`);
      holders.set(address, row.origin);
      const text = textOf({ ...row, origin: undefined, also_at: undefined });
      const { entries, gaps, lookedAt } = this.#watched.get(row.origin)!;
      const since = about.get(row.origin)!;
      const versions = entries.get(row.id)?.versions ?? [];
      const its = versions.filter((version) => version.text === text && version.from <= answeredAt);
      const mayBeMissed =
        its.length === 0 &&
        [...gaps, { from: lookedAt, to: now() }].some(({ from, to }) => from <= answeredAt && to >= since);
      if (!mayBeMissed && !its.some(({ to }) => to >= since)) {
        const ago = its.length === 0 ? 'never' : `last ${Math.round(sentAt - its.at(-1)!.to)} ms before`;
        say(`shows ${row.id} as ${row.origin} showed it ${ago}`);
      }
    }
    for (const [name, { entries, lookedAt }] of this.#watched)
      for (const [id, { stays }] of entries)
        for (const { address, from, to } of stays)
          if (from <= about.get(name)! && Math.min(to, lookedAt) >= answeredAt && !holders.has(address))
            say(`lacks ${id} of ${name}`);
    const isLongAway = this.#absences.some(
      ({ of, mirror: whose, from, to }) =>
        of === 'way' && whose === mirror && from < sentAt - NOTICED_AFTER_MS && to > answeredAt,
    );
    if (isLongAway && !isMarked) say('does not say that it is not current');
  }

  /** What an origin has shown from then on the mirror may still show, and what it shows since then the mirror must. */
  #since(mirror: string, origin: Name, sentAt: number, answeredAt: number): number {
    const { mostDelayMs } = this.#options;
    const absences = this.#absences.filter((each) => each.mirror === mirror && each.origin === origin);
    // Where the origin cannot be watched from nearby, the machine may stall the mirror as well.
    const all = [...absences, ...this.#watched.get(origin)!.gaps];
    let since = sentAt - mostDelayMs;
    for (const { from, to } of all.toSorted((a, b) => b.from - a.from))
      if (to >= since && from <= answeredAt) since = Math.min(since, from - mostDelayMs);
    return since;
  }

  #pause(ms: number): Promise<boolean> {
    return delay(ms, true, { signal: this.#stopping.signal }).catch(() => false);
  }
}

async function listOf(replica: Mirror['replica']): Promise<{ servers: readonly Shown[]; isMarked: boolean }> {
  const { status, headers, text } = await ask(replica, WHOLE, { giveUpAfterMs: GIVE_UP_MS });
  if (status !== 200) throw new Error(`${status} ${text}`);
  const { servers } = JSON.parse(text) as { readonly servers: readonly Shown[] };
  return { servers, isMarked: headers['warning'] !== undefined };
}

/**
 * Of entries of several origins with one address the origin holds it that has listed its own first; of equal times, the
 * first one by name.
 */
function unionOf(rows: readonly Row[]): readonly (Row & { readonly also_at?: readonly Name[] })[] {
  const byAddress = new Map<string, Row[]>();
  for (const row of rows) byAddress.set(addressOf(row), [...(byAddress.get(addressOf(row)) ?? []), row]);
  return [...byAddress.values()].flatMap((candidates) => {
    const [{ origin }] = candidates.toSorted(
      (a, b) => Date.parse(a.registered_at) - Date.parse(b.registered_at) || (a.origin < b.origin ? -1 : 1),
    ) as [Row];
    const others = [...new Set(candidates.map((each) => each.origin))].filter((each) => each !== origin);
    return candidates
      .filter((each) => each.origin === origin)
      .map((each) => ({ ...each, ...(others.length > 0 && { also_at: others.toSorted() }) }));
  });
}

function addressOf({ ip, port }: Pick<Shown, 'ip' | 'port'>): string {
  return `${ip}:${port}`;
}

/** With every field, in the order of their names. */
function textOf(server: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(server).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

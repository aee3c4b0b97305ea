/**
 * The history of one game server as a registry keeps it: in how many minutes the list showed it, and with how many
 * players. Records are joined, never added up: to join the same part twice changes nothing, and the order of the parts
 * does not matter. So replicas may store a block, or write back what Redis lost, any number of times.
 *
 * A record has blocks of ten minutes for the present hour and the one before, hours for the present day and the six
 * before, and days up to 30. A record of what any replica has looked at has the same form, without players.
 */

/** Some minutes in which the list showed a game server. */
export interface Sighting {
  /** How many minutes. */
  readonly seen: number;
  /** The sum of its players over these minutes. */
  readonly total: number;
  /** The most players in any of them. */
  readonly peak: number;
}

export const NOT_SEEN: Sighting = { seen: 0, total: 0, peak: 0 };

/** Sightings by the number of their block, hour or day since the epoch. */
export type Level = ReadonlyMap<number, Sighting>;

/** Times in minutes since the epoch. */
export interface ServerRecord {
  /** The first minute that any replica may count: a moderator took away all before. 0 if none did. */
  readonly forgottenAt: number;
  /** The first minute in which the list showed the game server; Infinity if there is none. */
  readonly first: number;
  /** Blocks, hours and days. */
  readonly levels: readonly Level[];
}

/** The lengths of blocks, hours and days, in minutes. */
export const LEVEL_MINUTES = [10, 60, 1440] as const;
export const [BLOCK_MINUTES, HOUR_MINUTES, DAY_MINUTES] = LEVEL_MINUTES;

const DAYS_BY_HOUR = 7;
const KEPT_DAYS = 30;

export const EMPTY: ServerRecord = {
  forgottenAt: 0,
  first: Infinity,
  levels: LEVEL_MINUTES.map(() => new Map()),
};

/** Builds the record of one block. `first`: the first minute of the sighting. */
export function recordOfBlock(block: number, first: number, sighting: Sighting): ServerRecord {
  return { ...EMPTY, first, levels: [new Map([[block, sighting]]), ...EMPTY.levels.slice(1)] };
}

/** Whether the record has no sighting. */
export function isEmpty({ levels }: Pick<ServerRecord, 'levels'>): boolean {
  return levels.every(({ size }) => size === 0);
}

/** Whether the record may be dropped: a mark of what was forgotten has to outlive the copies of all replicas. */
export function isOver(record: ServerRecord, now: number): boolean {
  return isEmpty(record) && record.forgottenAt < now - DAY_MINUTES;
}

/** Joins two records. Of two sightings of one time the one with more minutes stays; of equal ones that of `a`. */
export function joinRecords(a: ServerRecord, b: ServerRecord): ServerRecord {
  const forgottenAt = Math.max(a.forgottenAt, b.forgottenAt);
  const [ofA, ofB] = [since(forgottenAt, a), since(forgottenAt, b)];
  return {
    forgottenAt,
    first: Math.min(ofA.first, ofB.first),
    levels: ofA.levels.map((level, at) => fuller(level, ofB.levels[at]!)),
  };
}

/** The record without what was forgotten, if it does not know that yet. */
function since(forgottenAt: number, record: ServerRecord): ServerRecord {
  if (record.forgottenAt === forgottenAt) return record;
  const levels = record.levels.map(
    (level, at) => new Map([...level].filter(([number]) => number * LEVEL_MINUTES[at]! >= forgottenAt)),
  );
  const first = isEmpty({ levels }) ? Infinity : Math.max(record.first, forgottenAt);
  return { forgottenAt, first, levels };
}

/** The record with no more minutes than there are from `first` on: before that nobody missed the game server. */
export function from(first: number, record: ServerRecord): ServerRecord {
  const levels = record.levels.map((level, at) => {
    const left = new Map<number, Sighting>();
    for (const [number, sighting] of level) {
      const end = (number + 1) * LEVEL_MINUTES[at]!;
      if (end > first) left.set(number, { ...sighting, seen: Math.min(sighting.seen, end - first) });
    }
    return left;
  });
  return { ...record, levels };
}

function fuller(a: Level, b: Level): Level {
  if (b.size === 0) return a;
  const joined = new Map(a);
  for (const [number, sighting] of b)
    if (sighting.seen > (joined.get(number)?.seen ?? 0)) joined.set(number, sighting);
  return joined;
}

/**
 * Merges blocks into hours and hours into days when it is time, and drops what is older than 30 days, or taken while a
 * clock was wrong. `now`: minutes since the epoch. `keepsBlocks`: false for a reader, who wants hours and days alone.
 */
export function foldRecord(record: ServerRecord, now: number, keepsBlocks = true): ServerRecord {
  const [hour, today] = [Math.floor(now / HOUR_MINUTES), Math.floor(now / DAY_MINUTES)];
  const oldest = [
    keepsBlocks ? (hour - 1) * (HOUR_MINUTES / BLOCK_MINUTES) : Infinity,
    (today - DAYS_BY_HOUR + 1) * (DAY_MINUTES / HOUR_MINUTES),
    today - KEPT_DAYS + 1,
  ];
  let risen: Level = new Map();
  const levels = record.levels.map((level, at) => {
    const minutes = LEVEL_MINUTES[at]!;
    const kept = new Map<number, Sighting>();
    const next = new Map<number, Sighting>();
    for (const [number, sighting] of fuller(level, risen)) {
      if (number * minutes > now) continue;
      if (number >= oldest[at]!) kept.set(number, sighting);
      else addTo(next, Math.floor((number * minutes) / (LEVEL_MINUTES[at + 1] ?? Infinity)), sighting);
    }
    risen = new Map([...next].map(([number, sighting]) => [number, withWholeMean(sighting)]));
    return kept;
  });
  return { ...record, levels };
}

function addTo(level: Map<number, Sighting>, number: number, { seen, total, peak }: Sighting): void {
  const sum = level.get(number) ?? NOT_SEEN;
  level.set(number, { seen: sum.seen + seen, total: sum.total + total, peak: Math.max(sum.peak, peak) });
}

/** An hour or a day keeps its rounded mean, however it came about. */
function withWholeMean({ seen, total, peak }: Sighting): Sighting {
  return { seen, total: Math.round(total / seen) * seen, peak };
}

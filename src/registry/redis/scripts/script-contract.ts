/**
 * The contract between a replica and its scripts: the names of arguments, rows of arguments, codes and values of
 * replies, in the one order in which they are sent, so that both sides use the names alone. It is private to a release,
 * unlike the keys. The header of each script in lua/ explains the names; in Lua `maxPlayers` is called max_players.
 */

/**
 * The arguments of each script, which follow those of COMMON. `about`: the entries whose record keys follow the shared
 * keys. Rows of one form stand together, and the script gets the count of each form but the last.
 */
export const SCRIPTS = {
  broadcast: { about: 'each row', args: 'deadline' },
  ping: { about: 'each row', args: 'deadline repeatedPingCount partialPingCount' },
  remove: { about: 'one entry', args: 'deadline id ip proof parks isRepetition' },
  publish: {
    about: 'one entry',
    args: 'deadline id ip host name port players maxPlayers details client network isExempt place lifetime link links reachability document',
  },
  withdraw: { about: 'one entry', args: 'deadline id link' },
  changes: { about: 'all', args: 'recordPrefix knownEpoch cursor base mustWrite logOffset' },
  restore: {
    about: 'all',
    args: 'recordPrefix knownVersion replica holds tombstoneCount parkedCount entryCount',
  },
  'declare-whole': { about: 'all', args: 'knownEpoch knownLoss digestOffset replica' },
  mend: { about: 'all', args: 'recordPrefix' },
  reset: { about: 'all', args: 'recordPrefix' },
  settings: {
    about: 'all',
    args: 'knownSecret newSecret knownVersion knownModeration wants damagedVersion',
  },
  moderate: { about: 'all', args: 'deadline knownVersion moderation' },
  recount: { about: 'all', args: 'recordPrefix rank' },
  'note-reachability': { about: 'one entry', args: 'deadline id ip port reachability seen' },
  history: { about: 'one entry', args: 'stepMs most after' },
  'kept-texts': { about: 'one entry', args: 'cursor keptMs' },
  rights: { about: 'all', args: '' },
} as const;
export type ScriptName = keyof typeof SCRIPTS;

const COMMON = 'testNow newEpoch';

/** The arguments of each kind of row. Any number of rows can follow the arguments of a script. */
export const ROWS = {
  broadcast:
    'id ip host name port players maxPlayers details claims client network isExempt predecessorId predecessorProof place',
  repeatedPing: 'knownVersion',
  partialPing: 'knownVersion players told',
  fullPing: 'ip players host name port maxPlayers proof mayMove client network isExempt details place',
  tombstone: 'id removedVersion revival',
  parked:
    'id removedVersion parkedUntil registeredVersion ip host name port players maxPlayers details client reachability seen network',
  entry:
    'id toldVersion registeredVersion ip host name port players maxPlayers details claimed client reachability seen network place lifetime links document',
  suspect: 'id damagedEpoch',
  miscounted: 'id client network',
  point: 'point',
  keptText: 'id knownSum kept',
  command: 'command',
} as const;
export type RowName = keyof typeof ROWS;

/** The scripts about several entries, each with the forms that the row of an entry can have, in order. */
export const FORMS = {
  broadcast: ['broadcast'],
  ping: ['repeatedPing', 'partialPing', 'fullPing'],
} as const satisfies Partial<Record<ScriptName, readonly RowName[]>>;
export type GroupedName = keyof typeof FORMS;

/** The codes that a script replies, alone or before other values. In Lua they are constants. */
export const CODES = {
  DONE: 1,
  CHANGED: 2,
  REVIVED: 3,
  CLAIMED: 4,
  ADDRESS_TAKEN: 5,
  QUOTA_EXCEEDED: 6,
  UNKNOWN: 7,
  REMOVED: 8,
  WITH_GONE: 9,
  LISTED: 10,
  OTHER_LINKS: 11,
  PARKED: 12,
  TOO_MANY_BYTES: 13,
  OTHER_IP: -1,
  DAMAGED: -2,
  SAY_ALL: -3,
  NOT_ENTITLED: -4,
  NOT_WHOLE: -5,
  UNLISTED: -7,
} as const;

/**
 * The values of a listed entry in a reply: the fields that TOLD_FIELDS in Lua names, and three more. The last one is
 * there only if the entry was restored and its game server has sent nothing since.
 */
export const TOLD =
  'ip host port name players max_players registered_at claimed client reachability details seen id version restored_from';

/** The replies in which each value follows its name. */
export const NAMED_REPLIES = {
  /** The reply of changes.lua, if there is something new. */
  news: 'epoch version digest count loss isWhole now full base cursor more silent expired tombstones parked records resetVersion wrongTypes isMended lines logOffset moderationVersion floor refusal',
  settings: 'secret version moderationBytes moderation moderationAfter',
} as const;

/** The scripts that take and return bytes. */
export const BINARY: readonly ScriptName[] = ['kept-texts'];

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** The arguments that the runner of the scripts adds by itself. */
type Supplied = Words<typeof COMMON> | 'deadline' | 'isRepetition' | `${RowName}Count`;
/** The value of an argument. A boolean is sent as '1' or ''. */
export type Argument = string | number | boolean;
export type ArgumentsOf<Name extends ScriptName> = Readonly<
  Record<Exclude<Words<(typeof SCRIPTS)[Name]['args']>, Supplied | ''>, Argument>
>;
type RowOf<Name extends RowName> = Readonly<Record<Words<(typeof ROWS)[Name]>, Argument>>;
/** A named reply. Extend it by the types of its values: numbers and texts as Redis has them, null for nil, lists. */
export type NamedReply<Name extends keyof typeof NAMED_REPLIES> = Readonly<
  Record<Words<(typeof NAMED_REPLIES)[Name]>, unknown>
>;

/** The index of each value of TOLD in a reply. */
export const TOLD_AT = Object.fromEntries(TOLD.split(' ').map((name, at) => [name, at])) as Record<
  Words<typeof TOLD>,
  number
>;
const ROW_NAMES = Object.fromEntries(
  Object.entries(ROWS).map(([name, names]) => [name, names.split(' ')]),
) as Record<RowName, string[]>;

const ARGUMENT_NAMES = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, { args }]) => [name, `${COMMON} ${args}`.trim().split(' ')]),
) as Record<ScriptName, string[]>;

/** The names of all arguments of a script, in order. */
export function argumentNames(name: ScriptName): readonly string[] {
  return ARGUMENT_NAMES[name];
}

/** Returns the arguments in order, as the texts that are sent to Redis. */
export function inOrder(names: readonly string[], values: Readonly<Record<string, Argument>>): string[] {
  const texts: string[] = [];
  for (const name of names) {
    const value = values[name]!;
    texts.push(typeof value === 'boolean' ? (value ? '1' : '') : String(value));
  }
  return texts;
}

export function rowOf<Name extends RowName>(name: Name, values: RowOf<Name>): string[] {
  return inOrder(ROW_NAMES[name], values);
}

/** Reads a reply in which each value follows its name. */
export function namedIn(reply: unknown): unknown {
  const flat = reply as readonly unknown[];
  const values: Record<string, unknown> = {};
  for (let i = 0; i < flat.length; i += 2) values[flat[i] as string] = flat[i + 1];
  return values;
}

/**
 * Returns the line of Lua with which a script begins: it reads the arguments into locals, sets where the rows begin if
 * there are any, and reads the clock. A script with a deadline replies with an error after it.
 */
export function luaBeginning(name: ScriptName, hasRows: boolean): string {
  const names = argumentNames(name);
  const rows = hasRows ? ` local next_argument = ${names.length + 1}` : '';
  const refusal = names.includes('deadline')
    ? ' local late = late_error(deadline) if late then return late end'
    : '';
  return `local ${inLua(names)} = unpack(ARGV, 1, ${names.length})${rows} read_clock(test_now)${refusal}`;
}

/** Up to this many arguments are read one by one, which costs less than a call of unpack(). */
const FEW = 3;

/** Returns a line of Lua that reads the next row of arguments into locals. `row`: its name in Lua. */
export function luaRow(row: string): string {
  const names = ROW_NAMES[(Object.keys(ROWS) as RowName[]).find((name) => inLua([name]) === row)!];
  const last = `next_argument + ${names.length}`;
  const values =
    names.length <= FEW
      ? names.map((_, i) => `ARGV[next_argument + ${i}]`).join(', ')
      : `unpack(ARGV, next_argument, ${last} - 1)`;
  return `local ${inLua(names)} = ${values} next_argument = ${last}`;
}

/** Returns a line of Lua that reads fields of the record at `key` into locals like old_ip; `old` may be an error. */
export function luaRead(list: string, fields: readonly string[]): string {
  const texts = fields.map((field) => `'${field}'`).join(', ');
  const locals = fields.map((field) => `${list}_${field}`).join(', ');
  return `local ${list} = redis.pcall('HMGET', key, ${texts}) local ${locals} = unpack(${list}, 1, ${fields.length})`;
}

function inLua(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ');
}

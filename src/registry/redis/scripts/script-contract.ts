/**
 * What passes between a replica and its scripts, in the one order in which both sides have it, so that either knows it
 * by name alone: arguments, rows of arguments, codes, and what is in a reply. Private to a release, unlike the keys.
 * The header of each script in lua/ says what the names mean; in Lua `maxPlayers` is called max_players.
 */

/**
 * The arguments of each script, behind those of COMMON. `about`: whose records are keys, behind the shared ones. Of
 * rows in several forms those of one form stand together, and the script gets the count of each form but the last.
 */
export const SCRIPTS = {
  broadcast: { about: 'each row', args: 'deadline' },
  ping: { about: 'each row', args: 'deadline repeatedPingCount partialPingCount' },
  remove: { about: 'one entry', args: 'deadline id ip proof isRepetition' },
  publish: {
    about: 'one entry',
    args: 'deadline id ip host name port players maxPlayers details client network isExempt place lifetime link links reachability document',
  },
  withdraw: { about: 'one entry', args: 'deadline id link' },
  changes: { about: 'all', args: 'recordPrefix knownEpoch cursor base mustWrite logOffset' },
  restore: { about: 'all', args: 'recordPrefix knownVersion replica holds tombstoneCount entryCount' },
  'declare-whole': { about: 'all', args: 'knownEpoch knownLoss digestOffset replica' },
  mend: { about: 'all', args: 'recordPrefix' },
  reset: { about: 'all', args: 'recordPrefix' },
  settings: {
    about: 'all',
    args: 'knownSecret newSecret knownVersion knownModeration wants damagedVersion',
  },
  moderate: { about: 'all', args: 'deadline knownVersion moderation' },
  recount: { about: 'all', args: 'recordPrefix rank' },
  'note-reachability': { about: 'one entry', args: 'deadline id ip port reachability' },
  history: { about: 'one entry', args: 'stepMs most after' },
} as const;
export type ScriptName = keyof typeof SCRIPTS;

const COMMON = 'testNow newEpoch';

/** Rows of arguments, any number of which can follow. */
export const ROWS = {
  broadcast:
    'id ip host name port players maxPlayers details claims client network isExempt predecessorId predecessorProof place',
  repeatedPing: 'knownVersion',
  partialPing: 'knownVersion players told',
  fullPing: 'ip players host name port maxPlayers proof mayMove client network isExempt details place',
  tombstone: 'id removedVersion revival',
  entry:
    'id toldVersion registeredVersion ip host name port players maxPlayers details claimed client reachability network place lifetime links document',
  suspect: 'id damagedEpoch',
  miscounted: 'id client network',
  point: 'point',
} as const;
export type RowName = keyof typeof ROWS;

/** Scripts about several entries, and the forms that the row of each can have, in order. */
export const FORMS = {
  broadcast: ['broadcast'],
  ping: ['repeatedPing', 'partialPing', 'fullPing'],
} as const satisfies Partial<Record<ScriptName, readonly RowName[]>>;
export type GroupedName = keyof typeof FORMS;

/** What a script replies by a number, alone or before more: constants in Lua. */
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
  OTHER_IP: -1,
  DAMAGED: -2,
  SAY_ALL: -3,
  NOT_ENTITLED: -4,
  NOT_WHOLE: -5,
  UNLISTED: -7,
} as const;

/** What a reply has of a listed entry: the fields that TOLD_FIELDS in Lua names, and two more. */
export const TOLD =
  'ip host port name players max_players registered_at claimed client reachability details id version';

/** Replies that have each value behind its name. */
export const NAMED_REPLIES = {
  /** Of changes.lua, if there is something new. */
  news: 'epoch version digest count loss isWhole now full base cursor more silent expired tombstones records resetVersion wrongTypes isMended lines logOffset moderationVersion floor',
  settings: 'secret version moderationBytes moderation moderationAfter',
} as const;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** What the runner of the scripts gives by itself. */
type Supplied = Words<typeof COMMON> | 'deadline' | 'isRepetition' | `${RowName}Count`;
/** A flag is sent as '1' or ''. */
export type Argument = string | number | boolean;
export type ArgumentsOf<Name extends ScriptName> = Readonly<
  Record<Exclude<Words<(typeof SCRIPTS)[Name]['args']>, Supplied>, Argument>
>;
type RowOf<Name extends RowName> = Readonly<Record<Words<(typeof ROWS)[Name]>, Argument>>;
/** To be extended by the types of the values: numbers and texts as Redis has them, null for nil, lists. */
export type NamedReply<Name extends keyof typeof NAMED_REPLIES> = Readonly<
  Record<Words<(typeof NAMED_REPLIES)[Name]>, unknown>
>;

/** Where a reply has each of them. */
export const TOLD_AT = Object.fromEntries(TOLD.split(' ').map((name, at) => [name, at])) as Record<
  Words<typeof TOLD>,
  number
>;
const ROW_NAMES = Object.fromEntries(
  Object.entries(ROWS).map(([name, names]) => [name, names.split(' ')]),
) as Record<RowName, string[]>;

const ARGUMENT_NAMES = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, { args }]) => [name, `${COMMON} ${args}`.split(' ')]),
) as Record<ScriptName, string[]>;

/** The names of all arguments of a script, in order. */
export function argumentNames(name: ScriptName): readonly string[] {
  return ARGUMENT_NAMES[name];
}

/** Arguments in order, as Redis takes them. */
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

/** The values of a reply that has each behind its name. */
export function namedIn(reply: unknown): unknown {
  const flat = reply as readonly unknown[];
  const values: Record<string, unknown> = {};
  for (let i = 0; i < flat.length; i += 2) values[flat[i] as string] = flat[i + 1];
  return values;
}

/**
 * A line of Lua: the arguments of the script as locals, where its rows begin if it has any, and the present time. A
 * script with a deadline replies with an error after it.
 */
export function luaBeginning(name: ScriptName, hasRows: boolean): string {
  const names = argumentNames(name);
  const rows = hasRows ? ` local next_argument = ${names.length + 1}` : '';
  const refusal = names.includes('deadline')
    ? ' local late = late_error(deadline) if late then return late end'
    : '';
  return `local ${inLua(names)} = unpack(ARGV, 1, ${names.length})${rows} read_clock(test_now)${refusal}`;
}

/** To call unpack() costs more than to read so few arguments one by one. */
const FEW = 3;

/** A line of Lua: the next row of arguments as locals. `row`: its name in Lua. */
export function luaRow(row: string): string {
  const names = ROW_NAMES[(Object.keys(ROWS) as RowName[]).find((name) => inLua([name]) === row)!];
  const last = `next_argument + ${names.length}`;
  const values =
    names.length <= FEW
      ? names.map((_, i) => `ARGV[next_argument + ${i}]`).join(', ')
      : `unpack(ARGV, next_argument, ${last} - 1)`;
  return `local ${inLua(names)} = ${values} next_argument = ${last}`;
}

/** A line of Lua: fields of the record at `key`, named old_ip and so on for the list `old`, which may be an error. */
export function luaRead(list: string, fields: readonly string[]): string {
  const texts = fields.map((field) => `'${field}'`).join(', ');
  const locals = fields.map((field) => `${list}_${field}`).join(', ');
  return `local ${list} = redis.pcall('HMGET', key, ${texts}) local ${locals} = unpack(${list}, 1, ${fields.length})`;
}

function inLua(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ');
}

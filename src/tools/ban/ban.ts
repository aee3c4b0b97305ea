/**
 * `gsls ban add|list|remove`: asks a running replica to change or tell its bans, and makes text for a terminal of the
 * answer, whatever it holds. Prints nothing.
 */

import type { Config } from '../../service/config/config.ts';
import type { Flags } from '../../service/config/layers.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { OPTIONS } from '../../service/config/options.ts';
import { printable, printableJson } from '../../model/printable.ts';
import { askAdmin, RefusedFields, type AdminAnswer, type AdminRequest } from './ask-admin.ts';
import { localAddressOf } from '../../service/commands/local-address.ts';

/** The flags of the three commands, as texts. */
export interface BanFlags {
  /** The URL of any replica; by default that of the one on this machine. */
  readonly url?: string;
  /** The answer of the service as it is. */
  readonly json?: true;
  readonly serverId?: string;
  readonly address?: string;
  readonly serverHost?: string;
  readonly serverName?: string;
  readonly reason?: string;
  readonly mode?: string;
  readonly author?: string;
  readonly for?: string;
  readonly expiresAt?: string;
  /** The ban to remove. */
  readonly ban?: string;
}

export type BanCommand = 'add' | 'list' | 'remove';

/** A ban as the service tells it. */
interface BanBody {
  readonly ban: string;
  readonly reason: string;
  readonly mode: string;
  readonly author: string;
  readonly id?: string;
  readonly address?: string;
  readonly host?: string;
  readonly name?: string;
  readonly created_at: string;
  readonly expires_at?: string;
}

/** The fields of a ban, and the flags that stand for them. */
const FIELDS = {
  id: ['serverId', '--server-id'],
  address: ['address', '--address'],
  host: ['serverHost', '--server-host'],
  name: ['serverName', '--server-name'],
  reason: ['reason', '--reason'],
  mode: ['mode', '--mode'],
  author: ['author', '--author'],
  expires_at: ['expiresAt', '--expires-at'],
} as const;

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Resolves with what to print. Rejects with an Error of one line, a UsageError when it cannot be done as it was asked
 * for. `user` is the author where no flag names one.
 */
export async function ban(
  command: BanCommand,
  flags: BanFlags,
  config: Pick<Config, 'adminKeys' | 'host' | 'port' | 'opsHost' | 'opsPort'>,
  user: string | undefined,
): Promise<string> {
  const [key] = config.adminKeys;
  if (key === undefined)
    throw new UsageError('ban needs the admin key of the service: set GSLS_ADMIN_KEY or --admin-key-file');
  const url = flags.url ?? localUrl(config);
  const ask: Ask = (method, path, body) =>
    askAdmin({ url, key, method, path, body }).catch((error: unknown) => {
      throw error instanceof RefusedFields ? new UsageError(complaintOf(error)) : error;
    });
  const { answer, describe } = await carryOut(command, flags, user, ask);
  return flags.json ? printableJson(answer.text) : describe(answer);
}

/** The URL of the port that serves /admin. */
function localUrl({
  host,
  port,
  opsHost,
  opsPort,
}: Pick<Config, 'host' | 'port' | 'opsHost' | 'opsPort'>): string {
  const { url, port: known } =
    opsPort === undefined ? localAddressOf(host, port) : localAddressOf(opsHost, opsPort);
  if (known === 0)
    throw new UsageError('ban needs --url: the service takes any free port, which the log names');
  return url;
}

type Ask = (method: AdminRequest['method'], path: string, body?: object) => Promise<AdminAnswer>;

async function carryOut(
  command: BanCommand,
  flags: BanFlags,
  user: string | undefined,
  ask: Ask,
): Promise<{ answer: AdminAnswer; describe: (answer: AdminAnswer) => string }> {
  if (command === 'list') return { answer: await ask('GET', '/admin/bans'), describe: describeBans };
  if (command === 'add')
    return { answer: await ask('POST', '/admin/bans', fieldsOf(flags, user)), describe: describeAdded };
  const id = flags.ban!;
  const query = `author=${encodeURIComponent(authorOf(flags, user))}`;
  const answer = await ask('DELETE', `/admin/bans/${encodeURIComponent(id)}?${query}`);
  return { answer, describe: () => `removed the ban ${text(id)}\n` };
}

/** The flags of the service that say how a replica is asked. */
const FLAGS_OF_SERVICE: readonly (keyof Flags)[] = ['adminKey', 'adminKeyFile', 'opsPort', 'opsHost'];

/**
 * Throws a UsageError for the other flags of the service: `--host` would otherwise be taken for a pattern, and ignored.
 */
export function refuseFlagsOfService(flags: Flags): void {
  const given = Object.keys(flags) as (keyof Flags)[];
  const other = given.find((name) => !FLAGS_OF_SERVICE.includes(name));
  if (other !== undefined) {
    const taken = FLAGS_OF_SERVICE.map((name) => OPTIONS[name].flag).join(', ');
    throw new UsageError(
      `${OPTIONS[other].flag} is an option of the service, and ban takes only ${taken} of those; for a pattern use --server-id, --address, --server-host or --server-name`,
    );
  }
}

/** The name under which the audit has it. Throws a UsageError where nobody is named. */
function authorOf(flags: BanFlags, user: string | undefined): string {
  const author = flags.author ?? user;
  if (!author)
    throw new UsageError('the audit says who did it: name yourself with --author, as $USER is not set here');
  return author;
}

/** Whether they are right is left to the service, which names all that are wrong. */
function fieldsOf(flags: BanFlags, user: string | undefined): object {
  const given = { ...flags, expiresAt: expiryOf(flags), author: authorOf(flags, user) };
  return Object.fromEntries(Object.entries(FIELDS).map(([field, [flag]]) => [field, given[flag]]));
}

function expiryOf({ for: duration, expiresAt }: BanFlags): string | undefined {
  if (duration === undefined) return expiresAt;
  if (expiresAt !== undefined) throw new UsageError('--for and --expires-at say the same: give one of them');
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(duration) ?? [];
  if (count === undefined)
    throw new UsageError(`--for must be a number of minutes, hours, days or weeks like 90m, 12h, 30d or 2w`);
  return new Date(Date.now() + Number(count) * UNITS_MS[unit!]!).toISOString();
}

function describeAdded({ body }: AdminAnswer): string {
  const { ban: id, mode, matches } = body as unknown as BanBody & { readonly matches: number };
  const how = mode === 'silent' ? ', silently' : '';
  return `added the ban ${text(id)}${how}; entries that match now: ${text(matches)}\n`;
}

function describeBans({ body }: AdminAnswer): string {
  const bans = Array.isArray(body['bans']) ? (body['bans'] as readonly BanBody[]) : [];
  if (bans.length === 0) return 'no bans\n';
  return bans.map(describeBan).join('');
}

/** In two lines: what is banned, and why. */
function describeBan(each: BanBody): string {
  const patterns = (['id', 'address', 'host', 'name'] as const)
    .filter((field) => each[field] !== undefined)
    .map((field) => `${field} ${text(each[field])}`)
    .join(', ');
  const author = each.author === '' ? '' : ` by ${text(each.author)}`;
  const end = each.expires_at === undefined ? '' : `, until ${text(each.expires_at)}`;
  return `${text(each.ban)}  ${text(each.mode)}  ${patterns}\n  ${text(each.reason)} (${text(each.created_at)}${author}${end})\n`;
}

/** Any value of an answer. */
function text(value: unknown): string {
  return printable(String(value));
}

function complaintOf({ details }: RefusedFields): string {
  return details.map(({ field, message }) => printable(`${flagsOf(field)} ${message}`)).join('; ');
}

/** Fields by the names of their flags. */
function flagsOf(fields: string): string {
  return fields
    .split(', ')
    .map((field) => Object.entries(FIELDS).find(([name]) => name === field)?.[1][1] ?? field)
    .join(', ');
}

/**
 * What moderators do from a terminal: each command asks a running replica, and makes text for a terminal of the answer,
 * whatever it holds. Prints nothing.
 */

import { localAddressOf } from '../../service/commands/local-address.ts';
import type { Config } from '../../service/config/config.ts';
import type { Flags } from '../../service/config/layers.ts';
import { OPTIONS } from '../../service/config/options.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { printable, printableJson } from '../../model/printable.ts';
import { askAdmin, RefusedFields, type AdminAnswer, type AdminRequest } from './ask-admin.ts';
import { describeAdded, describeEntries, describeReports, describeRules } from './describe.ts';

/** The flags of all commands, as texts. */
export interface ModerationFlags {
  /** The URL of any replica; by default that of the one on this machine. */
  readonly url?: string;
  /** The answer of the service as it is. */
  readonly json?: true;
  readonly serverId?: string;
  /** The short form of serverId. */
  readonly id?: string;
  readonly address?: string;
  readonly serverHost?: string;
  readonly serverName?: string;
  readonly tokenSha256?: string;
  readonly reason?: string;
  readonly mode?: string;
  readonly author?: string;
  readonly for?: string;
  readonly expiresAt?: string;
  readonly limit?: string;
}

/** A command, with its words: the ban to remove, the label to give, parameters of a query. */
export type ModerationCommand =
  | { readonly is: 'ban add' | 'ban list' | 'label list' | 'reports' }
  | { readonly is: 'ban remove' | 'label add' | 'label remove' | 'remove' | 'dismiss'; readonly word: string }
  | { readonly is: 'servers'; readonly words: readonly string[] };

/** The fields of a rule, and the flags that stand for them. */
const FIELDS = {
  id: ['serverId', '--server-id'],
  address: ['address', '--address'],
  host: ['serverHost', '--server-host'],
  name: ['serverName', '--server-name'],
  token_sha256: ['tokenSha256', '--token-sha256'],
  reason: ['reason', '--reason'],
  mode: ['mode', '--mode'],
  author: ['author', '--author'],
  expires_at: ['expiresAt', '--expires-at'],
} as const;

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

type ModerationConfig = Pick<Config, 'adminKeys' | 'host' | 'port' | 'opsHost' | 'opsPort'>;

/**
 * Resolves with what to print. Rejects with an Error of one line, a UsageError when it cannot be done as it was asked
 * for. `user` is the author where no flag names one.
 */
export async function moderate(
  command: ModerationCommand,
  flags: ModerationFlags,
  config: ModerationConfig,
  user: string | undefined,
): Promise<string> {
  const [name] = command.is.split(' ');
  const [key] = config.adminKeys;
  if (key === undefined)
    throw new UsageError(
      `${name} needs the admin key of the service: set GSLS_ADMIN_KEY or --admin-key-file`,
    );
  const url = flags.url ?? localUrl(name!, config);
  const { describe, ...request } = requestOf(command, flags, user);
  const answer = await askAdmin({ url, key, ...request }).catch((error: unknown) => {
    throw error instanceof RefusedFields ? new UsageError(complaintOf(error)) : error;
  });
  return flags.json ? printableJson(answer.text) : describe(answer);
}

/** The URL of the port that serves /admin. */
function localUrl(name: string, { host, port, opsHost, opsPort }: ModerationConfig): string {
  const { url, port: known } =
    opsPort === undefined ? localAddressOf(host, port) : localAddressOf(opsHost, opsPort);
  if (known === 0)
    throw new UsageError(`${name} needs --url: the service takes any free port, which the log names`);
  return url;
}

/** One request, and how its answer is told. */
interface Request extends Pick<AdminRequest, 'method' | 'path' | 'body'> {
  readonly describe: (answer: AdminAnswer) => string;
}

function requestOf(command: ModerationCommand, flags: ModerationFlags, user: string | undefined): Request {
  const word = 'word' in command ? command.word : '';
  /** Takes away what the word names. */
  const without = (path: string, done: string): Request => ({
    method: 'DELETE',
    path: `${path}/${encodeURIComponent(word)}?author=${encodeURIComponent(authorOf(flags, user))}`,
    describe: () => `${done} ${printable(word)}\n`,
  });
  const reading = (path: string, describe: Request['describe']): Request => ({
    method: 'GET',
    path,
    describe,
  });
  const adding = (path: string, body: object, what: 'ban' | 'label'): Request => ({
    method: 'POST',
    path,
    body: { ...fieldsOf(flags, user), ...body },
    describe: describeAdded(what),
  });
  switch (command.is) {
    case 'ban list':
      return reading('/admin/bans', describeRules('bans'));
    case 'label list':
      return reading('/admin/labels', describeRules('labels'));
    case 'ban add':
      return adding('/admin/bans', {}, 'ban');
    case 'label add':
      return adding('/admin/labels', { label: word }, 'label');
    case 'ban remove':
      return without('/admin/bans', 'removed the ban');
    case 'label remove':
      return without('/admin/labels', 'took back the label');
    case 'remove':
      return without('/admin/servers', 'removed the entry');
    case 'dismiss':
      return without('/admin/reports', 'dismissed the reports about');
    case 'reports':
      return reading('/admin/reports', describeReports);
    default: {
      const limit = flags.limit === undefined ? [] : [`limit=${encodeURIComponent(flags.limit)}`];
      const query = [...command.words, ...limit].join('&');
      return reading(`/admin/servers${query && `?${query}`}`, describeEntries);
    }
  }
}

/** The flags of the service that say how a replica is asked. */
export const FLAGS_OF_SERVICE: readonly (keyof Flags)[] = ['adminKey', 'adminKeyFile', 'opsPort', 'opsHost'];

/**
 * Throws a UsageError for the other flags of the service: `--host` would otherwise be taken for a pattern, and ignored.
 */
export function refuseFlagsOfService(flags: Flags, { is }: ModerationCommand): void {
  const given = Object.keys(flags) as (keyof Flags)[];
  const other = given.find((name) => !FLAGS_OF_SERVICE.includes(name));
  if (other !== undefined) {
    const taken = FLAGS_OF_SERVICE.map((name) => OPTIONS[name].flag).join(', ');
    throw new UsageError(
      `${OPTIONS[other].flag} is an option of the service, and ${is.split(' ')[0]} takes only ${taken} of those; for a pattern use --server-id, --address, --server-host or --server-name`,
    );
  }
}

/** The name under which the audit has it. Throws a UsageError where nobody is named. */
function authorOf(flags: ModerationFlags, user: string | undefined): string {
  const author = flags.author ?? user;
  if (!author)
    throw new UsageError('the audit says who did it: name yourself with --author, as $USER is not set here');
  return author;
}

/** Whether they are right is left to the service, which names all that are wrong. */
function fieldsOf(flags: ModerationFlags, user: string | undefined): object {
  if (flags.id !== undefined && flags.serverId !== undefined)
    throw new UsageError('--id and --server-id say the same: give one of them');
  const expiresAt = expiryOf(flags);
  const author = authorOf(flags, user);
  const given = { ...flags, serverId: flags.serverId ?? flags.id, expiresAt, author };
  return Object.fromEntries(Object.entries(FIELDS).map(([field, [flag]]) => [field, given[flag]]));
}

function expiryOf({ for: duration, expiresAt }: ModerationFlags): string | undefined {
  if (duration === undefined) return expiresAt;
  if (expiresAt !== undefined) throw new UsageError('--for and --expires-at say the same: give one of them');
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(duration) ?? [];
  if (count === undefined)
    throw new UsageError(`--for must be a number of minutes, hours, days or weeks like 90m, 12h, 30d or 2w`);
  return new Date(Date.now() + Number(count) * UNITS_MS[unit!]!).toISOString();
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

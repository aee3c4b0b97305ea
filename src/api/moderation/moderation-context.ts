/** What the endpoints of moderators share. */

import type { ListedGameServer } from '../../model/game-server.ts';
import type { Acting } from '../../registry/decisions/decisions.ts';
import { Rope } from '../../runtime/bytes/rope.ts';
import { jsonAnswer, type Answer } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import type { EndpointRequest } from '../http/route.ts';
import type { VerifyOptions } from '../reachability/verification.ts';
import type { ReportRules } from '../reports/reports-context.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';
import type { ServerTokens } from '../writes/server-token.ts';
import { createFacts, type EntryFacts } from './entry-facts.ts';
import type { RefusalRecord } from './refusal-record.ts';
import type { SaidRecord } from './said-record.ts';
import { parseAuthor } from './validation.ts';

export interface ModerationRoomOptions {
  /** Whether anybody may moderate. */
  readonly isOpen: boolean;
  readonly verify: VerifyOptions;
  /** The labels that may be given. */
  readonly labels: readonly string[];
  readonly reports: ReportRules;
}

export interface ModerationContext extends Context {
  readonly options: ModerationRoomOptions;
  readonly tokens: Pick<ServerTokens, 'issue'>;
  /** The refusals that the networks of clients met. */
  readonly refusals: RefusalRecord;
  /** What game servers said of themselves of late. */
  readonly said: SaidRecord;
  /** The end of every cursor, by which the cursors of one registry are told from those of another. */
  readonly cursorMark: string;
}

export const DONE = { status: 'success' };

/** The author of a change, by the proxy that signs people in, or else by the request; '' if none is named. */
export function authorOf({ moderator }: EndpointRequest, fields: unknown): string {
  return moderator ?? parseAuthor(fields);
}

/** A moderator as a request shows them. */
export function askerOf(
  { client, key }: Pick<EndpointRequest, 'client' | 'key'>,
  maskAddress: Context['maskAddress'],
): Acting {
  const from = maskAddress(client.address);
  return { ...(from !== undefined && { from }), ...(key !== undefined && { key }) };
}

/** What moderators see of entries now. */
export async function factsNow({
  registry,
  options,
  maskAddress,
}: Pick<ModerationContext, 'registry' | 'options' | 'maskAddress'>): Promise<
  (row: ListedGameServer) => EntryFacts
> {
  const voices =
    options.reports.reasons.length === 0 ? new Map<never, never>() : await registry.reports.all();
  return createFacts({
    findBan: (row) => registry.moderation.findBan(row),
    hidesUnreached: options.verify.hidesUnreached,
    maskAddress,
    voices,
  });
}

/** A success with all of these, as JSON, under a name, and `more` behind them. */
export function* listAnswer<T>(
  name: string,
  all: Iterable<T>,
  render: (each: T) => string,
  more: object = {},
): Work<Answer> {
  const texts: string[] = [];
  for (const each of all) if (texts.push(render(each)) % ROWS_AT_ONCE === 0) yield;
  const behind = JSON.stringify(more).slice(1);
  const body = `{"status":"success","${name}":[${texts.join(',')}]${behind === '}' ? '' : ','}${behind}`;
  return jsonAnswer(new Rope([Buffer.from(body)]));
}

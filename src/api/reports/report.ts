/**
 * `POST /report`: a reader's voice against a game server. It is answered in the same way whether it is the first of its
 * network or not. The network is kept as a hash with the secret of the registry.
 */

import { createHmac } from 'node:crypto';
import type { ListedGameServer } from '../../model/game-server.ts';
import { maskAddress } from '../../model/net/address-mask.ts';
import { ServiceError } from '../../model/service-error.ts';
import { requestSchema, type RequestSchema } from '../../model/fields/field-schema.ts';
import { TRUSTED } from '../../registry/decisions/rule-fields.ts';
import { LONGEST_NOTE, type Voice } from '../../registry/reports/voices.ts';
import { toldEntry, UNKNOWN_SERVER } from '../find/servers.ts';
import { jsonAnswer } from '../http/answer.ts';
import { createCheck } from '../http/checks/request-check.ts';
import type { Endpoint } from '../http/route.ts';
import { withReportBan } from '../moderation/report-ban.ts';
import type { ReportRules, ReportsContext } from './reports-context.ts';

interface ReportFields {
  readonly id: string;
  readonly reason: string;
  readonly note?: string;
}

export function reportSchemaOf({ reasons }: Pick<ReportRules, 'reasons'>): RequestSchema<ReportFields> {
  return requestSchema<ReportFields>(
    {
      id: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'the id of an entry, a string of 1 to 64 characters',
      },
      reason: { type: 'string', enum: reasons, description: `one of ${reasons.join(', ')}` },
      note: {
        type: 'string',
        format: 'text',
        minLength: 1,
        maxLength: LONGEST_NOTE,
        description: `a string of 1 to ${LONGEST_NOTE} characters, none of them a control, bidi override or invisible character`,
      },
    },
    ['id', 'reason'],
  );
}

const NO_NOTES = [{ field: 'note', message: 'is not taken by this service: leave it out' }];

export function createReport({
  registry,
  currentList,
  logger,
  options,
  now,
  onReport,
}: ReportsContext): Endpoint {
  const check = createCheck(reportSchemaOf(options));
  const { takesNotes, hides = Infinity } = options;

  /** Hides the entry until a moderator looks, if enough networks reported it. */
  async function hide({ id, name }: ListedGameServer, networks: number): Promise<void> {
    if (networks < hides || registry.known(id)?.labels?.includes(TRUSTED) === true) return;
    const before = registry.moderation.decided;
    const after = await registry.moderation.decide((decided) => withReportBan(decided, id, networks, now()));
    if (after !== before)
      logger.warn({ id, name, networks }, 'reports hid a game server until a moderator looks');
  }

  return async ({ fields, client }) => {
    const { id, reason, note } = check(fields, (given) =>
      !takesNotes && Object.hasOwn(given, 'note') ? NO_NOTES : [],
    );
    const { staleSince } = await currentList.listing();
    const entry = toldEntry(registry, registry.known(id), staleSince !== undefined);
    if (entry === undefined) throw UNKNOWN_SERVER;
    const secret = registry.secret.text;
    if (secret === undefined) throw new ServiceError('registry_unavailable');
    const network = createHmac('sha256', secret).update(`reporter\n${maskAddress(client.address)}`);
    const voice: Voice = {
      network: network.digest('base64url').slice(0, 11),
      reason,
      at: now(),
      ...(note !== undefined && { note }),
    };
    const { length: networks } = await registry.reports.add(id, voice);
    onReport();
    await hide(entry, networks);
    return jsonAnswer({ status: 'success' });
  };
}

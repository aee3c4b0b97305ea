/** Reads what another registry says of a game server, as strictly as what the game server says itself. */

import { Details } from '../../model/fields/details.ts';
import { detailSchemas, type SaidDetails } from '../../model/fields/detail-fields.ts';
import { requestSchema, textSchema, type FieldSchema } from '../../model/fields/field-schema.ts';
import {
  broadcastSchema,
  hasSameLabels,
  isUnlisted,
  LATEST_VERSION_BY_CLOCK,
} from '../../model/game-server.ts';
import { parseIp } from '../../model/net/ip.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { LONGEST } from '../../registry/decisions/rule-fields.ts';
import type { OriginEntry } from '../../registry/mirror/union.ts';
import { ajv } from '../http/checks/request-check.ts';
import { detailFieldsOf, hasValidPlayers, nameTheSame } from './validation.ts';

/** What a mirror does not take over of an entry, or reads on its own. */
type NotRead = 'registered_at' | 'origin' | 'also_at' | 'players_seen' | 'players_seen_at' | 'near_ms';
type Said = Omit<ListedServer, keyof SaidDetails | NotRead>;

const MOST_LABELS = 64;

const id: FieldSchema = { type: 'string', minLength: 1, maxLength: 64, description: 'an id' };
const { server_host, server_name, server_port, server_ip, players, max_players } = broadcastSchema.properties;
const required = {
  id,
  host: server_host,
  name: server_name,
  port: server_port,
  ip: server_ip,
  players,
  max_players,
};
const isValid = ajv.compile<Said>(
  requestSchema<Said & SaidDetails>(
    {
      ...required,
      protocol: textSchema(32),
      game: textSchema(64),
      country_found: { type: 'boolean', description: 'true or false' },
      labels: {
        type: 'array',
        list: { maxItems: MOST_LABELS, items: textSchema(LONGEST.label) },
        description: 'a list of labels',
      },
      ...detailSchemas,
    },
    Object.keys(required),
  ),
);

/** Undefined for what no game server could have said, or an id that no list would show. See ReadEntry. */
export function readListedServer(
  server: ListedServer,
  origin: string,
  known?: OriginEntry,
): OriginEntry | undefined {
  const registeredVersion = Date.parse(server.registered_at) * 1000;
  if (known !== undefined && repeats(server, registeredVersion, known))
    return entryOf(server, registeredVersion, known.ip, known.details, origin);
  const isRegistered = registeredVersion > 0 && registeredVersion <= LATEST_VERSION_BY_CLOCK;
  if (!isRegistered || !isValid(server) || isUnlisted(server.id) || !/^[\w-]+$/.test(server.id))
    return undefined;
  const { protocol, game, country_found } = server;
  const details = Details.of({
    ...detailFieldsOf(server),
    ...(protocol !== undefined && { protocol }),
    ...(game !== undefined && { game }),
    ...(country_found !== undefined && { country_found }),
    origin,
  });
  return entryOf(server, registeredVersion, parseIp(server.ip)!, details, origin);
}

/** Whether it repeats its entry, except for its players. */
function repeats(server: ListedServer, registeredVersion: number, known: OriginEntry): boolean {
  const { protocol, game, country_found } = known.details.fields;
  return (
    registeredVersion === known.registeredVersion &&
    server.name === known.name &&
    server.host === known.host &&
    server.ip === known.ip &&
    server.port === known.port &&
    server.max_players === known.maxPlayers &&
    server.protocol === protocol &&
    server.game === game &&
    server.country_found === country_found &&
    hasSameLabels(server, known) &&
    hasValidPlayers(server) &&
    nameTheSame(server, known.details)
  );
}

function entryOf(
  { id: itsId, host, name, port, players: its, max_players: maxPlayers, labels }: ListedServer,
  registeredVersion: number,
  ip: string,
  details: Details,
  origin: string,
): OriginEntry {
  const said = { id: itsId, host, name, port, ip, players: its, maxPlayers, details };
  return { ...said, labels, registeredVersion, origin };
}

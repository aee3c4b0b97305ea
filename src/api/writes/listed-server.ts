/** Reads what another registry says of a game server, as strictly as what the game server says itself. */

import { Details, NO_DETAILS } from '../../model/fields/details.ts';
import { requestSchema, textSchema, type FieldSchema } from '../../model/fields/field-schema.ts';
import { isUnlisted, LATEST_VERSION_BY_CLOCK } from '../../model/game-server.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import type { OriginEntry } from '../../registry/mirror/union.ts';
import { createCheck } from '../http/checks/request-check.ts';
import { parseBroadcast } from './validation.ts';

interface FurtherFields {
  readonly id: string;
  readonly protocol?: string;
  readonly game?: string;
}

const id: FieldSchema = { type: 'string', minLength: 1, maxLength: 64, description: 'an id' };

const checkFurther = createCheck(
  requestSchema<FurtherFields>({ id, protocol: textSchema(32), game: textSchema(64) }, ['id']),
);

/** Undefined for what no game server could have said, or an id that no list would show. */
export function readListedServer(server: ListedServer): OriginEntry | undefined {
  const registeredVersion = Date.parse(server.registered_at) * 1000;
  const isRegistered = registeredVersion > 0 && registeredVersion <= LATEST_VERSION_BY_CLOCK;
  if (!isRegistered || isUnlisted(server.id) || !/^[\w-]+$/.test(server.id)) return undefined;
  try {
    const { id: itsId, protocol, game } = checkFurther(server);
    const { host, name, port, ip, ...further } = server;
    const said = { ...further, server_host: host, server_name: name, server_port: port, server_ip: ip };
    const { gameServer } = parseBroadcast(said);
    const { details = NO_DETAILS } = gameServer;
    const isOfProtocol = protocol !== undefined || game !== undefined;
    const all = isOfProtocol
      ? Details.of({ ...details.fields, ...(protocol && { protocol }), ...(game && { game }) })
      : details;
    return { id: itsId, gameServer: { ...gameServer, details: all }, registeredVersion };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

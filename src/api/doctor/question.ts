/** The question to the doctor: an address, a port, an id. It is checked as all requests are; names are not resolved. */

import { ServiceError } from '../../model/service-error.ts';
import { createCheck } from '../http/checks/request-check.ts';
import { requestSchema } from '../../model/fields/field-schema.ts';
import { pingSchema, type GameServerId } from '../../model/game-server.ts';
import { parseIp, type IpAddress } from '../../model/net/ip.ts';

interface QuestionFields {
  readonly server_host?: string;
  readonly server_port?: number;
  readonly server_id?: GameServerId;
}

const { server_host, server_port, server_id } = pingSchema.properties;

export const questionSchema = requestSchema<QuestionFields>({ server_host, server_port, server_id }, []);

const check = createCheck(questionSchema);

export interface DoctorQuestion {
  /** The address that the person takes for the game server's; undefined for a host name. */
  readonly ip: IpAddress | undefined;
  /** The host as it was sent. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly id: GameServerId | undefined;
}

/** Throws a ServiceError `invalid_request`. `hasEntry`: whether a token names an entry already. */
export function parseQuestion(fields: unknown, hasEntry: boolean): DoctorQuestion {
  const { server_host: host, server_port: port, server_id: id } = check(fields);
  if (port === undefined && id === undefined && !hasEntry) {
    const message = 'is missing: say it, or server_id';
    throw new ServiceError('invalid_request', {
      message: `server_port ${message}`,
      details: [{ field: 'server_port', message }],
    });
  }
  return { ip: host === undefined ? undefined : parseIp(host.replace(/^\[(.*)\]$/, '$1')), host, port, id };
}

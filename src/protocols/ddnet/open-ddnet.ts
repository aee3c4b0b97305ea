/** The room of the protocol of DDNet and Teeworlds: docs/protocols/ddnet.md. */

import { MOST_DOCUMENT_BYTES } from '../../registry/native-entries.ts';
import type { Room } from '../../api/http/context.ts';
import type { Endpoint } from '../../api/http/route.ts';
import { REGISTER_PATHS, type ProtocolContext } from '../protocol.ts';
import { createChallengeSender } from './challenge-sender.ts';
import { createRegister, refuseRegister } from './register.ts';
import { RegisterError } from './registration.ts';
import { createServersJson } from './servers-json.ts';

export function openDdnet(context: ProtocolContext): Room {
  const sender = createChallengeSender(context.now);
  const register = createRegister(context, sender);
  const registerOrRefuse: Endpoint = async (request) => {
    try {
      return await register(request);
    } catch (error) {
      if (!(error instanceof RegisterError)) throw error;
      // Refusals by the rules for all game servers are counted where the rules are applied.
      if (error.isMistake) context.count('invalid');
      return refuseRegister(error);
    }
  };
  return {
    routes: [
      {
        method: 'POST',
        path: REGISTER_PATHS.ddnet,
        endpoint: registerOrRefuse,
        access: 'open',
        kind: 'ping',
        input: 'bytes',
        mostBodyBytes: MOST_DOCUMENT_BYTES,
        refuse: refuseRegister,
        cors: 'nothing',
      },
      {
        method: 'GET',
        path: '/ddnet/15/servers.json',
        endpoint: createServersJson(context),
        access: 'open',
        kind: 'list',
        input: 'nothing',
        cors: 'reading',
      },
    ],
    close: () => sender.close(),
  };
}

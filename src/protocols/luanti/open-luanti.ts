/**
 * The room of Luanti, formerly Minetest: announcements of game servers, and the list that its clients read. It follows
 * server.py of luanti-org/serverlist; docs/protocols/luanti.md names the differences.
 */

import { continentOf } from '../../model/country.ts';
import { ERRORS } from '../../model/errors.ts';
import { jsonAnswer, textAnswer, type Answer } from '../../api/http/answer.ts';
import type { Room } from '../../api/http/context.ts';
import type { Endpoint } from '../../api/http/route.ts';
import { systemClock } from '../../registry/registry.ts';
import { valuesIn } from '../json-document.ts';
import { createNativeList } from '../native-list.ts';
import { REGISTER_PATHS, type ProtocolContext } from '../protocol.ts';
import { Filing } from './announce.ts';
import { MOST_BODY_BYTES, type LuantiReply } from './announcement.ts';
import { resolveByDns, type CheckOptions } from './check-server.ts';
import { areOfEntry, parseKept } from './list-entry.ts';
import { CONTINENTS, frameOf, withContinent } from './luanti-form.ts';

/** The name look-up and the timers of the system. */
const CHECK_OPTIONS: CheckOptions = {
  resolve: resolveByDns,
  timers: systemClock,
  elapsed: () => performance.now(),
};

export async function openLuanti(context: ProtocolContext, checkOptions = CHECK_OPTIONS): Promise<Room> {
  const filing = new Filing(context, checkOptions);
  const list = createNativeList(context, {
    protocol: 'luanti',
    isReadable: (document) => valuesIn(document, areOfEntry) !== undefined,
    render: ({ details }, document) => ({
      text: withContinent(document, continentOf(details.fields.country ?? '')),
      place: -(parseKept(details.fields.kept)?.score ?? 0),
    }),
    frame: frameOf,
  });
  const reading = { method: 'GET', access: 'open', kind: 'list', cors: 'reading' } as const;
  return {
    routes: [
      {
        method: 'POST',
        path: `${REGISTER_PATHS.luanti}/announce`,
        endpoint: async (request) => answerOf(await filing.take(request)),
        access: 'open',
        kind: 'ping',
        input: 'bytes',
        mostBodyBytes: MOST_BODY_BYTES,
        refuse: ({ code, message }) => answerOf({ status: ERRORS[code].status, text: message }),
        cors: 'nothing',
      },
      { ...reading, path: '/luanti/list', endpoint: list, input: 'query' },
      { ...reading, path: '/luanti/geoip', endpoint: createGeoip(context), input: 'nothing' },
    ],
    close: async () => filing.close(),
  };
}

/** The continent of the client; without one, clients estimate no latency. */
function createGeoip({ countryOf }: Pick<ProtocolContext, 'countryOf'>): Endpoint {
  if (countryOf === undefined) return async () => jsonAnswer({});
  return async ({ client: { address, doubt } }) => {
    const continent = doubt === undefined && continentOf(countryOf(address) ?? '');
    const body = CONTINENTS.has(continent) ? { continent } : {};
    return jsonAnswer(body, { 'Cache-Control': 'private, no-store' });
  };
}

/** As text: what a stranger has announced may be part of it. */
function answerOf({ status, text }: LuantiReply): Answer {
  return { ...textAnswer(text, 'text/plain; charset=utf-8'), status };
}

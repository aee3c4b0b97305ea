/** What the service answers in a scene, as GSLS has it. */

import { gzipSync } from 'node:zlib';
import { ERRORS } from '../errors.ts';
import type { Known } from './expectations.ts';
import type { AnswerScript, ServersScript, StreamEvent } from './scene.ts';
import type { ScriptedRequest } from './scripted-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const HTML = '<!DOCTYPE html><title>502</title><h1>Bad gateway</h1>';

/**
 * Answers as the script says. `dateMs`: what the clock of the service shows, ms since the epoch. Resolves once the
 * client has the answer or has given up; for a stream, and for silence without patience, at once.
 */
export async function answer(
  request: ScriptedRequest,
  script: AnswerScript,
  known: Known,
  dateMs: number,
): Promise<void> {
  const date = { Date: new Date(dateMs).toUTCString() };
  if ('accept' in script) {
    const { id, token, intervalS, headers, body } = script.accept;
    const told = {
      ...date,
      ...JSON_TYPE,
      ...(token !== undefined && { 'Server-Token': known.tokens.of(token) }),
      ...(intervalS !== undefined && { 'Server-Ping-Interval': String(intervalS), 'Server-TTL': '60' }),
      ...headers,
    };
    const success = { status: 'success', ...(id !== undefined && { server_id: known.ids.of(id) }), ...body };
    request.answer(200, told, JSON.stringify(success));
  } else if ('refuse' in script) {
    const { status, message } = ERRORS[script.refuse];
    const { retryAfter } = script;
    const later =
      typeof retryAfter === 'object'
        ? new Date(dateMs + 1000 * retryAfter.dateIn).toUTCString()
        : retryAfter?.toString();
    request.answer(
      status,
      { ...date, ...JSON_TYPE, ...(later !== undefined && { 'Retry-After': later }) },
      JSON.stringify({ status: 'error', error: message, code: script.refuse }),
    );
  } else if ('status' in script) {
    const { status, headers = {}, body = HTML } = script;
    request.answer(status, { ...date, 'Content-Type': 'text/html', ...headers }, body);
  } else if ('reset' in script) {
    if (script.reset === 'within')
      request.writeHalf({ ...date, ...JSON_TYPE }, SUCCESS, () => request.reset());
    else request.reset();
  } else if ('half' in script) {
    request.writeHalf({ ...date, ...JSON_TYPE }, SUCCESS, () => request.hangUp());
  } else if ('bytes' in script) {
    const filling = 'x'.repeat(script.bytes);
    request.answer(
      200,
      { ...date, ...JSON_TYPE },
      `{"status":"success","server_id":"x","filling":"${filling}"}`,
    );
  } else if ('servers' in script) {
    answerServers(request, script.servers, known, date);
  } else if ('unchanged' in script) {
    const { 'if-none-match': tag } = request.headers;
    request.answer(304, { ...date, ETag: String(tag) }, '');
  } else if ('stream' in script) {
    request.begin({ ...date, 'Content-Type': 'text/event-stream; charset=utf-8' });
    for (const event of script.stream) request.write(eventText(event, known));
    return;
  }
  await request.over;
}

const SUCCESS = '{"status":"success","server_id":"cut","filling":"and';

function answerServers(
  request: ScriptedRequest,
  script: ServersScript,
  known: Known,
  date: Readonly<Record<string, string>>,
): void {
  const { etag, gzip, staleFor, tag } = script;
  const text = JSON.stringify({
    status: 'success',
    ...members(script, known),
    ...(tag === undefined && countsOf(script, known)),
  });
  request.answer(
    200,
    {
      ...date,
      ...JSON_TYPE,
      ...(etag !== undefined && { ETag: `"${known.tags.of(etag)}"` }),
      ...(gzip && { 'Content-Encoding': 'gzip' }),
      ...(staleFor !== undefined && { Warning: '110 - "Response is Stale"', Age: String(staleFor) }),
    },
    gzip ? gzipSync(text) : text,
  );
}

function members(script: ServersScript, known: Known): Readonly<Record<string, unknown>> {
  const { removed = [], full = false, tag } = script;
  const servers = idsOf(script, known).map((id, index) => ({ ...serverOf(id, index), ...script.also }));
  if (tag === undefined) return { servers };
  return { servers, removed: removed.map((name) => known.ids.of(name)), full, tag: known.tags.of(tag) };
}

function countsOf(script: ServersScript, known: Known): object {
  const { length: count } = idsOf(script, known);
  const { next } = script;
  if (next === undefined) return { count };
  return { count, total: 2 * count, next: next === null ? null : known.tags.of(next) };
}

function idsOf({ ids }: ServersScript, known: Known): readonly string[] {
  return typeof ids === 'number' ? manyIds(ids) : ids.map((name) => known.ids.of(name));
}

/** The ids of so many servers, the same each time. */
export function manyIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `server-${String(index).padStart(14, '0')}`);
}

function serverOf(id: string, index: number): object {
  return {
    id,
    host: 'eu1.example.com',
    name: `Frankfurt ${index + 1}`,
    port: 7777,
    ip: '203.0.113.7',
    players: index % 17,
    max_players: 16,
    registered_at: '2026-11-21T10:20:30.123Z',
  };
}

/** As a stream has it. */
export function eventText(event: StreamEvent, known: Known): string {
  if ('raw' in event) return event.raw;
  if ('retry' in event) return `retry: ${event.retry}\n\n`;
  if ('bookmark' in event) return `id: ${known.tags.of(event.bookmark)}\n\n`;
  if ('stale' in event) {
    const state = event.stale ? { stale: true, as_of: '2026-11-22T10:00:00.000Z' } : { stale: false };
    return `event: state\ndata: ${JSON.stringify(state)}\n\n`;
  }
  const { tag } = event.changes;
  const id = tag === undefined ? '' : `id: ${known.tags.of(tag)}\n`;
  return `${id}event: changes\ndata: ${JSON.stringify(members(event.changes, known))}\n\n`;
}

/** Sends the answers of the service in a scene, in the form that GSLS gives them. */

import { gzipSync } from 'node:zlib';
import { ERRORS } from '../../model/errors.ts';
import type { Known } from './expectations.ts';
import type { AnswerScript, ChangesEvent, ServersScript, StreamEvent } from './scene.ts';
import type { ScriptedRequest } from './scripted-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
/** A header that no client knows, in every answer: a later version may have more. */
const UNKNOWN = { 'Server-Mood': 'fine' };
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
  const date = { Date: new Date(dateMs).toUTCString(), ...UNKNOWN };
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
      JSON.stringify({ status: 'error', error: script.says ?? message, code: script.refuse, ...script.also }),
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
    request.answer(304, { ...date, ETag: String(tag), ...staleHeaders(script.staleFor) }, '');
  } else if ('stream' in script) {
    request.begin({ ...date, 'Content-Type': 'text/event-stream; charset=utf-8' });
    for (const event of script.stream) await request.write(eventText(event, known));
    return;
  }
  await request.over;
}

const SUCCESS = '{"status":"success","server_id":"cut","filling":"and';

function staleHeaders(staleFor: number | undefined): Readonly<Record<string, string>> {
  return staleFor === undefined ? {} : { Warning: '110 - "Response is Stale"', Age: String(staleFor) };
}

function answerServers(
  request: ScriptedRequest,
  script: ServersScript,
  known: Known,
  date: Readonly<Record<string, string>>,
): void {
  const { etag, gzip, cut, staleFor, tag, next } = script;
  const isList = tag === undefined && next === undefined;
  const text = JSON.stringify({
    ...(!isList && { status: 'success' }),
    ...(tag === undefined ? countedServers(script, known) : changesOf(script, known)),
    ...script.also,
  });
  const headers = {
    ...date,
    ...JSON_TYPE,
    ...(etag !== undefined && { ETag: `"${known.tags.of(etag)}"` }),
    ...(gzip && { 'Content-Encoding': 'gzip' }),
    ...staleHeaders(staleFor),
  };
  if (cut) request.writeHalf(headers, text.slice(0, text.length / 2), () => request.hangUp());
  else request.answer(200, headers, gzip ? gzipSync(text) : text);
}

function countedServers(script: ServersScript, known: Known): object {
  const { ids, next } = script;
  const { length: count } = ids;
  // The list has the fields alone that every game server has.
  const each = next === undefined ? { registered_at: undefined } : {};
  const servers = serversOf(script, known, each);
  if (next === undefined) return { servers, count };
  return { servers, count, total: 2 * count, next: next === null ? null : known.tags.of(next) };
}

function changesOf(script: ServersScript, known: Known): object {
  const { removed = [], full = false, tag } = script;
  return {
    servers: serversOf(script, known),
    removed: removed.map((name) => known.ids.of(name)),
    full,
    ...(tag !== undefined && { tag: known.tags.of(tag) }),
  };
}

function serversOf({ ids, each }: ServersScript, known: Known, without: object = {}): readonly object[] {
  return ids.map((name, index) => ({
    id: known.ids.of(name),
    host: 'eu1.example.com',
    name: `Frankfurt ${index + 1}`,
    port: 7777,
    ip: '203.0.113.7',
    players: index % 17,
    max_players: 16,
    registered_at: '2026-11-21T10:20:30.123Z',
    ...without,
    ...each,
  }));
}

/** Renders an event in the form of a stream. */
export function eventText(event: StreamEvent, known: Known): string {
  if ('raw' in event) return event.raw;
  if ('retry' in event) return `retry: ${event.retry}\n\n`;
  if ('bookmark' in event) return `id: ${known.tags.of(event.bookmark)}\n\n`;
  if ('changes' in event) return changesText(event, known);
  const state = event.stale ? { stale: true, as_of: '2026-11-22T10:00:00.000Z' } : { stale: false };
  return `event: state\ndata: ${JSON.stringify(state)}\n\n`;
}

function changesText({ changes, form, lineEnd, upTo }: ChangesEvent, known: Known): string {
  const { tag, also } = changes;
  const json = JSON.stringify({ ...changesOf(changes, known), ...also }, undefined, form === 'lines' ? 1 : 0);
  const fields: readonly (readonly [name: string, value: string])[] = [
    ...(tag === undefined ? [] : [['id', known.tags.of(tag)] as const]),
    ['event', 'changes'],
    ...json.split('\n').map((line) => ['data', line] as const),
  ];
  const lines = fields.map((field) => field.join(form === 'tight' ? ':' : ': '));
  const text = `${lines.join('\n')}\n\n`;
  const lengths = { id: lines[0]!.length + 1, half: text.length / 2, end: text.length - 1 };
  const part = upTo === undefined ? text : text.slice(0, lengths[upTo]);
  return part.replaceAll('\n', lineEnd ?? '\n');
}

/**
 * Keeps a game server listed in GSLS. Node 18 or later, nothing to install.
 *
 *     node game-server.mjs http://localhost:53600 [token file]
 *
 * In a game, call keepListed without awaiting it: the game never waits for it. With a token file of its own, a game
 * server that crashed and starts again keeps its id.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const KEY = process.env.GSLS_KEY; // only where the service asks for one
const GAME_SERVER = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto', // the address that this request comes from; or the public address itself
  players: 3,
  max_players: 16,
  map: 'de_dust2', // this and more is optional: see docs/api.md#details
  mode: 'bomb defusal',
};

/** Broadcasts, pings until `stopped` is aborted, removes. `currentFields()` tells the fields of now. */
export async function keepListed(url, currentFields, stopped, tokenFile = '') {
  /** Proves that the entry is ours: never show or log it. */
  let token = (existsSync(tokenFile) && readFileSync(tokenFile, 'utf8').trim()) || 'claim';

  /** The status, the headers and the body of the answer; status 0 without an answer. */
  async function send(path, fields, headers = {}) {
    headers['Server-Token'] = token;
    if (KEY) headers.Authorization = `Bearer ${KEY}`;
    const request = { method: 'POST', body: JSON.stringify(fields), headers, redirect: 'manual' };
    try {
      const answer = await fetch(url + path, { ...request, signal: AbortSignal.timeout(5000) });
      const text = await answer.text();
      const body = text.startsWith('{') ? JSON.parse(text) : {};
      return { status: answer.status, headers: answer.headers, body };
    } catch {
      return { status: 0, headers: new Headers(), body: { error: 'no answer' } };
    }
  }

  function keepToken(issued) {
    if (issued === null || issued === token) return;
    token = issued;
    try {
      if (tokenFile) writeFileSync(tokenFile, token, { mode: 0o600 });
    } catch (error) {
      console.error('GSLS: the token is not kept:', error.message);
    }
  }

  let [id, key, interval, failures, mayClaim] = [undefined, randomUUID(), 20, 0, true];
  while (!stopped.aborted) {
    const { status, headers, body } =
      id === undefined
        ? await send('/broadcast', currentFields(), { 'Idempotency-Key': key })
        : await send('/ping', { ...currentFields(), server_id: id });

    let pause = 300; // s: a person has to correct something
    if (status === 200) {
      [id, failures, mayClaim] = [body.server_id ?? id, 0, mayClaim || id !== undefined];
      keepToken(headers.get('Server-Token'));
      interval = Number(headers.get('Server-Ping-Interval')) || interval;
      pause = interval * (0.9 + 0.2 * Math.random());
    } else if (['unknown_server', 'idempotency_key_used', 'ip_mismatch'].includes(body.code)) {
      // Broadcast again. Our token keeps the id, unless the entry was removed.
      [id, key] = [undefined, randomUUID()];
      pause = interval * Math.random();
    } else if (['not_owner', 'server_token_required'].includes(body.code)) {
      if (mayClaim) pause = interval * Math.random(); // soon, but once until a ping succeeds
      [id, key, token, mayClaim] = [undefined, randomUUID(), 'claim', false];
    } else if ([0, 408, 429].includes(status) || status >= 500 || body.code === 'address_taken') {
      pause = Math.min(interval, 2 ** failures) * (0.5 + 0.5 * Math.random());
      pause = Math.max(pause, Number(headers.get('Retry-After')) || 0);
      failures += 1; // a problem that passes: the same request again, later each time
    }
    if (status !== 200) console.error(`GSLS: ${body.error ?? status}; again in ${Math.ceil(pause)} s`);
    await wait(pause * 1000, undefined, { signal: stopped }).catch(() => {});
  }
  if (id !== undefined) await send('/remove', { server_id: id, server_ip: currentFields().server_ip });
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
const [, , url, tokenFile] = process.argv;
await keepListed(url, () => GAME_SERVER, stop.signal, tokenFile);

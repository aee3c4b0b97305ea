/**
 * Keeps a game server listed in GSLS. Node 18 or later, nothing to install.
 *
 *     node game-server.mjs http://localhost:53600
 *
 * In a game, call keepListed without awaiting it: the game never waits for it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const KEY = process.env.GSLS_KEY; // only where the service asks for one
const GAME_SERVER = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: '203.0.113.7',
  players: 3,
  max_players: 16,
};

/** Broadcasts, pings until `stopped` is aborted, removes. `currentFields()` tells the fields of now. */
export async function keepListed(url, currentFields, stopped) {
  /** The status, the headers and the body of the answer; status 0 without an answer. */
  async function send(path, fields, headers = {}) {
    if (KEY) headers.Authorization = `Bearer ${KEY}`;
    const request = { method: 'POST', body: JSON.stringify(fields), headers };
    try {
      const answer = await fetch(url + path, { ...request, signal: AbortSignal.timeout(5000) });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    } catch {
      return { status: 0, headers: new Headers(), body: {} };
    }
  }

  let [id, key, interval, failures] = [undefined, randomUUID(), 20, 0];
  while (!stopped.aborted) {
    const { status, headers, body } =
      id === undefined
        ? await send('/broadcast', currentFields(), { 'Idempotency-Key': key })
        : await send('/ping', { ...currentFields(), server_id: id });

    let pause = 300; // s
    if (status === 200) {
      [id, failures] = [body.server_id ?? id, 0];
      interval = Number(headers.get('Server-Ping-Interval'));
      pause = interval * (0.9 + 0.2 * Math.random());
    } else if (['unknown_server', 'idempotency_key_used'].includes(body.code)) {
      [id, key] = [undefined, randomUUID()]; // the entry is gone: broadcast again
      pause = interval * Math.random();
    } else if ([0, 408, 429].includes(status) || status >= 500) {
      pause = Math.min(interval, 2 ** failures) * (0.5 + 0.5 * Math.random());
      pause = Math.max(pause, Number(headers.get('Retry-After')));
      failures += 1; // a problem that passes: the same request again, later each time
    } else {
      console.error('GSLS refuses this game server:', body.error ?? status); // a person has to correct something
    }
    await wait(pause * 1000, undefined, { signal: stopped }).catch(() => {});
  }
  if (id !== undefined) await send('/remove', { server_id: id, server_ip: currentFields().server_ip });
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
await keepListed(process.argv[2], () => GAME_SERVER, stop.signal);

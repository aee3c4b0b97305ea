/**
 * Keeps a game server listed in GSLS. Node 18.17 or later, nothing to install. Importing it starts nothing:
 * run-game-server.mjs shows how a game uses it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const SERVICE_URL = /^https?:\/\/([^\s:/?#@[\]]+|\[[\w:.]+\])(:\d{1,5})?(\/[^\s?#]*)?$/i;
const PRINTABLE = /^[ -~]*$/;

export class Listing {
  #url;
  #key;
  #tokenFile;
  /** Proves that the entry is ours: never show or log it. */
  #token;
  /** What was printed last, by topic. */
  #told = {};

  /**
   * With a token file of its own, a game server that crashed and starts again keeps its id. The key is only for a service
   * that asks for one. Throws at once if one of them cannot be right.
   */
  constructor(url, { key = '', tokenFile = '' } = {}) {
    if (!SERVICE_URL.test(url) || !URL.canParse(url))
      throw new Error(`"${url}" is no URL of a service, such as http://localhost:53600`);
    if (!PRINTABLE.test(key)) throw new Error('the key has characters that no header can have');
    [this.#url, this.#key, this.#tokenFile] = [url.replace(/\/+$/, ''), key, tokenFile];
    this.#token = (existsSync(tokenFile) && readFileSync(tokenFile, 'utf8').trim()) || 'claim';
    if (!PRINTABLE.test(this.#token)) this.#claimAnew();
  }

  /**
   * Broadcasts, pings until `stopped` is aborted, removes. `currentFields()` tells the fields of now. What goes wrong is
   * printed, and it goes on: the game does not wait for it.
   */
  async keep(currentFields, stopped) {
    let [id, key, interval, failures, mayClaim] = [undefined, randomUUID(), 20, 0, true];
    while (!stopped.aborted) {
      const { status, headers, body } =
        id === undefined
          ? await this.#send('/broadcast', currentFields(), { 'Idempotency-Key': key })
          : await this.#send('/ping', { ...currentFields(), server_id: id });

      // What no service has issued, such as a file that another program wrote.
      const isTokenDamaged = body.code === 'invalid_request' && id === undefined && this.#token !== 'claim';
      let pause = 300; // s: a person has to correct something
      if (status === 200 && (body.server_id ?? id) !== undefined) {
        [id, failures, mayClaim] = [body.server_id ?? id, 0, mayClaim || id !== undefined];
        this.#keepToken(headers.get('Server-Token'));
        interval = Number(headers.get('Server-Ping-Interval')) || interval;
        pause = interval * (0.9 + 0.2 * Math.random());
      } else if (['unknown_server', 'idempotency_key_used', 'ip_mismatch'].includes(body.code)) {
        // Broadcast again. Our token keeps the id, unless the entry was removed.
        [id, key] = [undefined, randomUUID()];
        pause = interval * Math.random();
      } else if (['not_owner', 'server_token_required'].includes(body.code) || isTokenDamaged) {
        this.#claimAnew();
        if (mayClaim) pause = interval * Math.random(); // soon, but once until a ping succeeds
        [id, key, mayClaim] = [undefined, randomUUID(), false];
      } else if ([0, 408, 429].includes(status) || status >= 500 || body.code === 'address_taken') {
        pause = Math.min(interval, 2 ** failures) * (0.5 + 0.5 * Math.random());
        pause = Math.max(pause, Number(headers.get('Retry-After')) || 0);
        failures += 1; // a problem that passes: the same request again, later each time
      }
      if (status === 200 && id !== undefined) this.#tell('state', 'the service has our entry');
      else this.#tell('state', `${status || 'no answer'}: ${body.error}`, `; again in ${Math.ceil(pause)} s`);
      for (const name of ['Server-Verification', 'Server-Join-Code'])
        if (headers.has(name)) this.#tell(name, `${name}: ${headers.get(name)}`);
      await wait(pause * 1000, undefined, { signal: stopped }).catch(() => {});
    }
    if (id !== undefined)
      await this.#send('/remove', { server_id: id, server_ip: currentFields().server_ip });
  }

  /** The status, the headers and the body of the answer; status 0 without an answer. */
  async #send(path, fields, headers = {}) {
    headers['Server-Token'] = this.#token;
    if (this.#key) headers.Authorization = `Bearer ${this.#key}`;
    const request = { method: 'POST', body: JSON.stringify(fields), headers, redirect: 'manual' };
    try {
      const answer = await fetch(this.#url + path, { ...request, signal: AbortSignal.timeout(5000) });
      const location = answer.headers.get('Location');
      const error = location ? `this leads to ${location}` : 'this is no answer of GSLS';
      const text = await answer.text();
      const body = { error, ...(text.startsWith('{') && JSON.parse(text)) };
      return { status: answer.status, headers: answer.headers, body };
    } catch (error) {
      const { message, code } = error.cause ?? error;
      return { status: 0, headers: new Headers(), body: { error: message || code } };
    }
  }

  #keepToken(issued) {
    if (issued === null || issued === this.#token) return;
    this.#token = issued;
    try {
      if (this.#tokenFile) writeFileSync(this.#tokenFile, issued, { mode: 0o600 });
    } catch (error) {
      this.#tell('token', `the token is not kept: ${error.message}`);
    }
  }

  #claimAnew() {
    this.#token = 'claim';
    const whose = this.#tokenFile ? `in ${this.#tokenFile}` : 'of our entry';
    this.#tell('token', `the token ${whose} is not valid: a new entry is claimed`);
  }

  /** Prints only what is new about the topic. */
  #tell(topic, text, more = '') {
    if (this.#told[topic] !== text) console.error(`GSLS: ${text}${more}`);
    this.#told[topic] = text;
  }
}

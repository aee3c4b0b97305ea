/** Game servers that are listed over HTTP, as any would be. */

import { Agent, request } from 'node:http';
import { bodyOf, detailsNumber, gameServerNumber, type Listed } from './requests.ts';

/** A client with many open requests is no game server: so many wait for their answers at most. */
const CONNECTIONS = 64;
/** Of a ping, and of another request. */
const LONGEST_PING_MS = 5000;
const LONGEST_ANSWER_MS = 60_000;

/** Posts JSON to the service, and rejects if there is no answer in time. */
export class Poster {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(url: string) {
    this.#url = url;
  }

  #post(path: string, body: string, timeout: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const options = { method: 'POST', agent: this.#agent, headers, timeout };
      const outgoing = request(this.#url + path, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve(text));
        answer.once('error', reject);
      });
      outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  /** A ping of this game server, with its details and this number of players. */
  ping({ id, n }: Listed, players: number): Promise<string> {
    const body = bodyOf({ ...gameServerNumber(n, players), details: detailsNumber(n) }, id);
    return this.#post('/ping', body, LONGEST_PING_MS);
  }

  /** Lists so many game servers with details, from this number on. */
  async list(count: number, first = 0, detailsOf = detailsNumber): Promise<Listed[]> {
    const listed: Listed[] = [];
    let next = first;
    const broadcastMany = async (): Promise<void> => {
      for (let n = next++; n < first + count; n = next++) {
        const body = bodyOf({ ...gameServerNumber(n), details: detailsOf(n) });
        const text = await this.#post('/broadcast', body, LONGEST_ANSWER_MS);
        listed.push({ id: (JSON.parse(text) as { readonly server_id: string }).server_id, n });
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, broadcastMany));
    return listed;
  }
}

/**
 * A Teeworlds server as far as a master server sees it: it registers by HTTP and reads challenges by UDP, as
 * src/engine/server/register.cpp of ddnet/ddnet does.
 */

import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { ask, type TestAnswer } from '../ask.ts';

export type Scheme = 'tw-0.6+udp' | 'tw-0.7+udp';

/** What the master server has answered, with its HTTP status. */
export interface RegisterAnswer {
  readonly http: number;
  readonly status: string;
  readonly message?: string;
}

export interface RegisterOptions {
  readonly scheme?: Scheme;
  /** Headers that win over the usual ones; one that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer | object;
}

export const CONNLESS_TOKEN = '0a1b2c3d';

/** What precedes the secret in a challenge to a server of 0.6, and of 0.7 with the token. */
const HEADS: Readonly<Record<Scheme, Buffer>> = {
  'tw-0.6+udp': Buffer.from('ffffffffffffffffffff', 'hex'),
  'tw-0.7+udp': Buffer.from(`21${CONNLESS_TOKEN}ffffffffffffffff`, 'hex'),
};

export class DdnetGameServer {
  readonly secret = randomUUID();
  readonly challengeSecret = randomUUID();
  serial = 0;
  /** Every packet that came. */
  readonly packets: Buffer[] = [];
  readonly #socket: Socket;
  readonly #tokens = new Map<Scheme, string>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (packet: Buffer) => {
      this.packets.push(packet);
      for (const scheme of ['tw-0.6+udp', 'tw-0.7+udp'] as const) {
        const head = Buffer.concat([HEADS[scheme], Buffer.from(`chal${this.#challengeSecret(scheme)}\0`)]);
        if (packet.subarray(0, head.length).equals(head) && packet.at(-1) === 0)
          this.#tokens.set(scheme, packet.subarray(head.length, -1).toString());
      }
    });
  }

  static async open(ip = '127.0.0.1', port = 0): Promise<DdnetGameServer> {
    const socket = createSocket(ip.includes(':') ? 'udp6' : 'udp4').bind(port, ip);
    await once(socket, 'listening');
    return new DdnetGameServer(socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** One request. */
  async register(
    url: string,
    { scheme = 'tw-0.6+udp', headers = {}, body }: RegisterOptions = {},
  ): Promise<RegisterAnswer> {
    const token = this.#tokens.get(scheme);
    const all = {
      Address: `${scheme}://connecting-address.invalid:${this.port}`,
      Secret: this.secret,
      'Challenge-Secret': this.#challengeSecret(scheme),
      'Challenge-Token': token,
      'Connless-Token': scheme === 'tw-0.7+udp' ? CONNLESS_TOKEN : undefined,
      'Info-Serial': String(this.serial),
      ...headers,
    };
    return read(await ask({ url }, 'POST /ddnet/15/register', { headers: said(all), body: body ?? '' }));
  }

  /** Registers until it is told anything but that it should prove its address or send its info. */
  async registerWith(url: string, info: object, options: RegisterOptions = {}): Promise<RegisterAnswer> {
    const { scheme = 'tw-0.6+udp' } = options;
    let body: object | undefined;
    for (;;) {
      const answer = await this.register(url, { ...options, ...(body && { body }) });
      if (answer.status === 'need_challenge')
        while (!this.#tokens.has(scheme)) await once(this.#socket, 'message');
      else if (answer.status === 'need_info') body = info;
      else return answer;
    }
  }

  async delete(
    url: string,
    { scheme = 'tw-0.6+udp', headers = {} }: RegisterOptions = {},
  ): Promise<RegisterAnswer> {
    const all = {
      Action: 'delete',
      Address: `${scheme}://connecting-address.invalid:${this.port}`,
      Secret: this.secret,
      ...headers,
    };
    return read(await ask({ url }, 'POST /ddnet/15/register', { headers: said(all), body: '' }));
  }

  /** Forgets its proofs, as if their hour had passed. */
  forgetTokens(): void {
    this.#tokens.clear();
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
  }

  #challengeSecret(scheme: Scheme): string {
    return `${this.challengeSecret}:${scheme === 'tw-0.6+udp' ? 'tw0.6/ipv4' : 'tw0.7/ipv4'}`;
  }
}

function said(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
}

function read({ status: http, text }: TestAnswer): RegisterAnswer {
  return { http, ...(JSON.parse(text) as Omit<RegisterAnswer, 'http'>) };
}

/** As UpdateRegisterServerInfo() in src/engine/server/server.cpp has it. */
export function anInfo(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    max_clients: 64,
    max_players: 64,
    passworded: false,
    game_type: 'DDraceNetwork',
    name: 'A server',
    map: { name: 'Tutorial', sha256: '0'.repeat(64), size: 4096 },
    version: '0.6.4, 16.4',
    client_score_kind: 'time',
    requires_login: false,
    clients: [],
    ...overrides,
  };
}

export function aClient(name = 'nameless tee'): Record<string, unknown> {
  return { name, clan: '', country: -1, score: -9999, is_player: true, afk: false };
}

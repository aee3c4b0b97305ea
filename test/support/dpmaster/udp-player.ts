/** A UDP port of a test that speaks dpmaster's protocol: as game server and as client. */

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const PREFIX = '\xff\xff\xff\xff';

export interface Info {
  readonly [key: string]: string | number | undefined;
}

/** What a game server of DarkPlaces' way says, unless it is told otherwise. */
const INFO: Info = { gamename: 'Testing', protocol: 3, clients: 2, sv_maxclients: 8, hostname: 'A server' };

/** Texts are Latin-1 here, without the four bytes that all packets begin with. */
export class UdpPlayer {
  readonly #socket: Socket;
  readonly #to: { readonly address: string; readonly port: number };
  readonly #received: string[] = [];
  #wake: () => void = () => undefined;
  #closed: Promise<void> | undefined;
  /** With those of packets that nobody has taken yet. */
  bytesReceived = 0;

  readonly port: number;

  private constructor(socket: Socket, to: UdpPlayer['address']) {
    this.#socket = socket;
    this.port = socket.address().port;
    this.#to = to;
    socket.on('message', (packet) => {
      this.bytesReceived += packet.length;
      this.#received.push(packet.toString('latin1').slice(PREFIX.length));
      this.#wake();
    });
  }

  /** `from`: an address of this machine. `ownPort`: 0 for any. */
  static async open(port: number, address = '127.0.0.1', from = address, ownPort = 0): Promise<UdpPlayer> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.bind({ port: ownPort, address: from });
    await once(socket, 'listening');
    return new UdpPlayer(socket, { address, port });
  }

  get address(): { readonly address: string; readonly port: number } {
    return this.#to;
  }

  send(text: string, to = this.#to): void {
    this.sendBytes(Buffer.from(PREFIX + text, 'latin1'), to);
  }

  sendBytes(bytes: Buffer, to = this.#to): void {
    this.#socket.send(bytes, to.port, to.address);
  }

  /** The next packet that has come. */
  async next(): Promise<string> {
    while (this.#received.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#received.shift()!;
  }

  /** The challenge of the next packet; undefined if it is another one. */
  async challenge(): Promise<string | undefined> {
    return /^getinfo (\S+)$/.exec(await this.next())?.[1];
  }

  infoResponse(challenge: string, info: Info = {}, to = this.#to): void {
    const said = Object.entries({ ...INFO, ...info, challenge }).filter(([, value]) => value !== undefined);
    this.send(`infoResponse\n${said.map(([key, value]) => `\\${key}\\${value}`).join('')}`, to);
  }

  /** A heartbeat, and the answer to what it is asked. */
  async heartbeat(info: Info = {}, tag = 'DarkPlaces'): Promise<void> {
    this.send(`heartbeat ${tag}\n`);
    this.infoResponse((await this.challenge())!, info);
  }

  /** The addresses of a whole answer, as `1.2.3.4:5` and `[…hex…]:5`, in order. */
  async list(request: string): Promise<readonly string[]> {
    this.send(request);
    const found: string[] = [];
    for (;;) {
      const packet = await this.next();
      const records = packet.replace(/^getservers(?:Ext)?Response/, '');
      if (records === packet) throw new Error(`no list: ${packet}`);
      for (let at = 0; at < records.length;) {
        const bytes = Buffer.from(records.slice(at + 1, at + (records[at] === '/' ? 19 : 7)), 'latin1');
        at += 1 + bytes.length;
        const ip = bytes.subarray(0, -2);
        if (ip.toString('latin1') === 'EOT\0') return found.toSorted();
        const text = ip.length === 4 ? ip.join('.') : `[${ip.toString('hex')}]`;
        found.push(`${text}:${bytes.readUInt16BE(ip.length)}`);
      }
    }
  }

  /** May be called again. */
  async close(): Promise<void> {
    this.#closed ??= new Promise<void>((resolve) => this.#socket.close(resolve));
    await this.#closed;
  }
}

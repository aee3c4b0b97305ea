/**
 * The internet in one process: machines in cities, each with an address of its own on this machine, and beacons behind
 * relays that hold back what comes from a city by the round trip from there.
 */

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, request as requestHttp } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startBeacon, type OpenBeacon } from '../../../../src/api/beacons/beacon.ts';
import type { Environment } from '../../../../clients/typescript/src/environment.ts';
import type { Beacon } from '../../../../src/model/near.ts';
import { BEACONS, roundTrip } from '../../../support/round-trips.ts';

/** How much faster than its own clock this world is. */
const HURRY = 10;

/**
 * A machine with an address of its own. Its clock goes by what the relays have held back of its traffic, and so it is
 * right on a machine that has other things to do.
 */
export class Machine {
  readonly city: string;
  readonly address: string;
  #elapsedMs = 0;

  constructor(city: string, address: string) {
    this.city = city;
    this.address = address;
  }

  wait(ms: number): void {
    this.#elapsedMs += ms;
  }

  /** The part of the outside world that a client on this machine uses. */
  get environment(): Pick<Required<Environment>, 'fetch' | 'elapsed'> {
    const agent = new Agent({ keepAlive: true, localAddress: this.address });
    return {
      elapsed: () => this.#elapsedMs,
      fetch: (url, { method = 'GET', headers, body, signal }) =>
        new Promise((resolve, reject) => {
          const options = {
            method,
            headers: headers as Record<string, string>,
            agent,
            ...(signal && { signal }),
          };
          const sent = requestHttp(url, options, async (answer) => {
            const chunks: Buffer[] = [];
            for await (const chunk of answer) chunks.push(chunk as Buffer);
            const bytes = Buffer.concat(chunks);
            const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [
              name,
              String(value),
            ]);
            resolve(
              new Response(bytes.length === 0 ? null : bytes, { status: answer.statusCode!, headers: told }),
            );
          });
          sent.on('error', reject);
          sent.end(body as string | undefined);
        }),
    };
  }
}

/** The beacons of the table, each behind its relay. */
export class Relays {
  readonly beacons: Beacon[] = [];
  readonly #machines = new Map<string, Machine>();
  readonly #closers: (() => unknown)[] = [];

  machineIn(city: string, address: string): Machine {
    const machine = new Machine(city, address);
    this.#machines.set(address, machine);
    return machine;
  }

  async open(): Promise<void> {
    for (const { id, place, latency } of BEACONS) {
      const beacon = await startBeacon({ host: '127.0.0.1', port: 0, perMinute: 1_000_000 });
      const relay = relayTo(beacon, place!, this.#machines);
      relay.listen(0, '127.0.0.1');
      await once(relay, 'listening');
      const { port } = relay.address() as AddressInfo;
      this.beacons.push({ id, url: `http://127.0.0.1:${port}/`, place: place!, latency });
      this.#closers.push(
        () => beacon.close(),
        () => relay.close(),
      );
    }
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}

function relayTo(beacon: OpenBeacon, place: string, machines: ReadonlyMap<string, Machine>): Server {
  return createServer((near: Socket) => {
    const machine = machines.get(near.remoteAddress!)!;
    const far = connect(Number(new URL(beacon.url).port), '127.0.0.1');
    const oneWayMs = roundTrip(machine.city, place) / 2;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) =>
        setTimeout(() => {
          machine.wait(oneWayMs);
          to.write(bytes);
        }, oneWayMs / HURRY),
      );
      from.on('close', () => to.destroy());
      from.on('error', () => undefined);
    }
  });
}

/** The sockets of game servers: they hear whoever knocks. */
export class Ears {
  heard = 0;
  readonly #udp: UdpSocket[] = [];
  readonly #tcp: Server[] = [];

  async listen(address: string, port: number): Promise<void> {
    const udp = createSocket('udp4', () => (this.heard += 1));
    udp.bind(port, address);
    const tcp = createServer(() => (this.heard += 1)).listen(port, address);
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    this.#udp.push(udp);
    this.#tcp.push(tcp);
  }

  close(): void {
    for (const each of [...this.#udp, ...this.#tcp]) each.close();
  }
}

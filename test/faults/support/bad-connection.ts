/**
 * A proxy before Redis, or before a registry, that can be slow, lose packets, cut what passes into slices, hold it
 * back, or break off. As TCP does, it keeps all bytes and their order: what is lost comes later, as does what follows.
 */

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { between, type Random } from '../../../src/tools/demo/random.ts';
import { now } from '../../support/load/recorder.ts';

export interface BadConnection {
  /** Its URL, to be used instead of that of Redis. */
  readonly url: string;
  /** Where it listens, at 127.0.0.1. */
  readonly port: number;
  /** Each byte takes so much longer, in both directions. */
  slowDown(latencyMs: number): void;
  /** This share of all pieces is lost at first, and sent again after the time of a retransmission. */
  lose(share: number, random: Random): void;
  /** Bytes arrive in slices of a few. */
  cutUp(): void;
  /** Nothing passes, though the connections stay open; what is sent meanwhile passes after `mend`. */
  swallow(): void;
  /** Ends what the other methods began. */
  mend(): void;
  /** Resets all open connections, as a firewall does. */
  reset(): void;
  stop(): Promise<void>;
}

const LONGEST_SLICE_BYTES = 7;
/** From the loss of a packet to its retransmission, about: the round trip, and no less than TCP waits for. */
const RETRANSMISSION_MS = [200, 400] as const;
/** The rest of what came at once follows in one piece, or a long list would take for ever. */
const MOST_SLICES = 10;

export async function startBadConnection(targetPort: number): Promise<BadConnection> {
  let latencyMs = 0;
  let lostMs = loseNothing;
  let inSlices = false;
  let open = Promise.resolve();
  let reopen: (() => void) | undefined;
  const clients = new Set<Socket>();

  async function carry(piece: Buffer, to: Socket, enteredAt: number): Promise<void> {
    const leftMs = enteredAt + latencyMs - now();
    if (leftMs > 0) await delay(leftMs);
    await open;
    for (const [index, part] of (inSlices ? slicesOf(piece) : [piece]).entries()) {
      if (index > 0) await turn();
      to.write(part);
    }
  }

  function lead(from: Socket, to: Socket): void {
    let last = Promise.resolve();
    from.setNoDelay(true);
    from.on('data', (piece: Buffer) => {
      const enteredAt = now() + lostMs();
      last = last.then(() => carry(piece, to, enteredAt));
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      last = last.then(() => open).then(() => void to.end());
    });
  }

  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    clients.add(client);
    client.on('close', () => clients.delete(client));
    lead(client, target);
    lead(target, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mend = (): void => {
    latencyMs = 0;
    lostMs = loseNothing;
    inSlices = false;
    reopen?.();
  };
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    slowDown(ms) {
      latencyMs = ms;
    },
    lose(share, random) {
      lostMs = () => (random() < share ? between(...RETRANSMISSION_MS, random) : 0);
    },
    cutUp() {
      inSlices = true;
    },
    swallow() {
      open = new Promise((resolve) => {
        reopen = resolve;
      });
    },
    mend,
    reset() {
      for (const client of clients) client.resetAndDestroy();
    },
    stop() {
      mend();
      // Not by a reset: where both sides reset at once, Node never lets go of the socket, and the process never ends.
      for (const client of clients) client.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** How much later than without a loss the next piece comes. */
function loseNothing(): number {
  return 0;
}

function slicesOf(piece: Buffer): Buffer[] {
  const slices: Buffer[] = [];
  let rest = piece;
  while (rest.length > LONGEST_SLICE_BYTES && slices.length < MOST_SLICES) {
    const bytes = 1 + Math.floor(LONGEST_SLICE_BYTES * Math.random());
    slices.push(rest.subarray(0, bytes));
    rest = rest.subarray(bytes);
  }
  return [...slices, rest];
}

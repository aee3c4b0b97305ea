/** The room of dpmaster over a registry in memory, whose time a test moves. */

import { protocolContextOf } from '../../../src/protocols/open-protocols.ts';
import { openDpmaster, type DpmasterRoom } from '../../../src/protocols/dpmaster/open-dpmaster.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { ProtocolOutcome } from '../../../src/protocols/protocol.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import type { Context } from '../../../src/api/http/context.ts';
import type { Flags } from '../../../src/service/config/layers.ts';
import { aProtocolContext } from '../../support/a-context.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { until } from '../../support/until.ts';
import { UdpPlayer } from '../../support/dpmaster/udp-player.ts';

export interface UsedRoom {
  readonly clock: ManualClock;
  readonly registry: MemoryRegistry;
  readonly outcomes: readonly ProtocolOutcome[];
  /** The errors in the log. */
  readonly logged: readonly string[];
  open(flags?: Flags): Promise<void>;
  /** A game server or client, from this address of the machine, and this port of it. */
  player(address?: string, from?: string, ownPort?: number): Promise<UdpPlayer>;
  /** One that is listed. */
  listed(info?: Parameters<UdpPlayer['heartbeat']>[0], tag?: string): Promise<UdpPlayer>;
  untilCounted(outcome: ProtocolOutcome, times?: number): Promise<void>;
  /** Lets time pass until the port of a game server that said farewell was examined. */
  untilExamined(meanwhile?: () => Promise<void>): Promise<void>;
  rows(): Promise<readonly ListedGameServer[]>;
  /** Lets half a second pass, after which a list is made anew. */
  renewLists(): Promise<void>;
}

/** Call it in a describe block. */
export function useRoom(): UsedRoom {
  let clock: ManualClock;
  let registry: MemoryRegistry;
  let room: DpmasterRoom | undefined;
  let outcomes: ProtocolOutcome[];
  let logged: string[];
  const players: UdpPlayer[] = [];

  afterEach(async () => {
    await Promise.all(players.splice(0).map((player) => player.close()));
    await room?.close?.();
    await registry?.close();
    room = undefined;
  });

  const used: UsedRoom = {
    get clock() {
      return clock;
    },
    get registry() {
      return registry;
    },
    get outcomes() {
      return outcomes;
    },
    get logged() {
      return logged;
    },
    async open(flags = {}) {
      clock = new ManualClock();
      registry = new MemoryRegistry({ lifetime, clock, uniqueAddress: false });
      outcomes = [];
      logged = [];
      const addresses = {
        dpmasterPort: ['0'],
        dpmasterHost: ['127.0.0.1'],
        rateLimit: ['list=1000/s,ping=1000/s'],
      };
      const onOutcome = (_: string, outcome: ProtocolOutcome): void => void outcomes.push(outcome);
      const context = aProtocolContext(registry, { ...addresses, ...flags }, () => clock.now());
      const logger = Object.assign(Object.create(context.logger) as Context['logger'], {
        error: (_: unknown, text: string) => void logged.push(text),
      });
      room = await openDpmaster(protocolContextOf({ ...context, onOutcome, logger }, 'dpmaster'), clock);
    },
    async player(address, from, ownPort) {
      const player = await UdpPlayer.open(room!.port, address, from, ownPort);
      players.push(player);
      return player;
    },
    async listed(info, tag) {
      const player = await used.player();
      const { length } = outcomes.filter((outcome) => outcome === 'listed');
      await player.heartbeat(info, tag);
      await used.untilCounted('listed', length + 1);
      return player;
    },
    async untilCounted(outcome, times = 1) {
      await until(() => outcomes.filter((each) => each === outcome).length >= times);
    },
    async untilExamined(meanwhile) {
      const before = clock.timers;
      const untilTimers = (areReached: () => boolean): Promise<void> =>
        until(async () => {
          if (!areReached()) await clock.advance(250);
          return areReached();
        });
      await untilTimers(() => clock.timers > before);
      await meanwhile?.();
      await untilTimers(() => clock.timers === before);
    },
    async rows() {
      return (await registry.list()).snapshot.chunks.flatMap(({ rows }) => rows);
    },
    async renewLists() {
      await clock.advance(500);
    },
  };
  return used;
}

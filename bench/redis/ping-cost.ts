/**
 * What pings and polls cost Redis, against the floor. All come from one registry, without HTTP, each as soon as one is
 * answered.
 */

import type { Redis } from 'ioredis';
import type { GameServer } from '../../src/model/game-server.ts';
import type { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { gameServerNumber, type Listed } from '../support/requests.ts';
import { measureInTurn, type Load, type Meter } from './load-in-turn.ts';
import { createPingFloor } from './ping-floor.ts';

export interface PingCost {
  readonly name: string;
  /** Of Redis for one, by the meter. */
  readonly cost: number;
  /** The same by the least script: each ping a call of its own, or one call for all 32. */
  readonly floor?: number;
  readonly groupedFloor?: number;
}

export interface PingCostOptions {
  readonly client: Redis;
  readonly registry: RedisRegistry;
  readonly listed: readonly Listed[];
  readonly meter: Meter;
  readonly rounds: number;
  /** Of a round. Of those that come one at a time an eighth. */
  readonly pings: number;
}

const TOGETHER = 32;

export async function measurePings(options: PingCostOptions): Promise<PingCost[]> {
  const { client, registry, listed, meter, rounds, pings } = options;
  const single = pings / 8;
  let word = 100;
  const load = (atATime: number, say: (n: number) => GameServer): Load => ({
    async run() {
      const count = atATime === 1 ? single : pings;
      let sent = 0;
      const sendOn = async (): Promise<void> => {
        while (sent < count) {
          const { id, n } = listed[sent % listed.length]!;
          if (sent % listed.length === 0) word += 1;
          sent += 1;
          await registry.ping(id, say(n));
        }
      };
      await Promise.all(Array.from({ length: atATime }, sendOn));
      return count;
    },
  });
  const otherPlayers = (n: number): GameServer => gameServerNumber(n, word);
  const otherName = (n: number): GameServer => ({ ...gameServerNumber(n), name: `Server ${n} of ${word}` });

  const costs: PingCost[] = [];
  for (const [kind, say] of [
    ['unchanged', gameServerNumber],
    ['changed', otherPlayers],
  ] as const) {
    const counts = { together: pings, alone: single };
    const floors = await createPingFloor(client, listed, counts, kind === 'changed');
    const { pipelined, grouped } = floors;
    const together = await measureInTurn({ pipelined, ours: load(TOGETHER, say), grouped }, rounds, meter);
    const alone = await measureInTurn({ floor: floors.alone, ours: load(1, say) }, rounds, meter);
    const { ours: cost, pipelined: floor, grouped: groupedFloor } = together;
    costs.push({ name: `${kind} ping, ${TOGETHER} at a time`, cost, floor, groupedFloor });
    costs.push({ name: `${kind} ping, 1 at a time`, cost: alone.ours, floor: alone.floor });
  }
  const poll: Load = {
    async run() {
      for (let polls = 0; polls < single; polls += 1) await registry.list();
      return single;
    },
  };
  const others = await measureInTurn({ renamed: load(TOGETHER, otherName), poll }, rounds, meter);
  costs.push({ name: `renamed ping, ${TOGETHER} at a time`, cost: others.renamed });
  costs.push({ name: 'poll at rest', cost: others.poll });
  return costs;
}

/**
 * A write that reaches Redis late changes nothing: its client was answered, and a newer write may have overtaken it.
 */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { formatDecisions } from '../../../src/registry/bans/decisions-document.ts';
import { NO_DECISIONS } from '../../../src/registry/bans/decisions.ts';
import { BEGINNING } from '../../../src/registry/redis/follower/changes-batch.ts';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import { ProcessPaused } from '../../../src/runtime/pulse.ts';
import type { Scripts } from '../../../src/registry/redis/scripts/scripts.ts';
import { createScripts } from '../../../src/registry/redis/scripts/create-scripts.ts';
import type { ScriptContext } from '../../../src/registry/redis/scripts/script-runner.ts';
import { UNKNOWN_CALLER } from '../../../src/registry/registry.ts';
import { aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useRedis } from '../../support/redis-server.ts';

const HOUR_MS = 3_600_000;

needs('redis-server').describe('a write that comes late', () => {
  const redis = useRedis();
  const actualNow = performance.now.bind(performance);
  let client: Redis;

  beforeEach(async () => {
    ({ client } = redis);
    await client.flushall();
  });
  afterEach(() => {
    performance.now = actualNow;
  });

  function scriptsWith(context: Partial<ScriptContext> = {}): Scripts {
    return createScripts({
      client,
      keys: createKeys(''),
      lifetime,
      uniqueAddress: false,
      holdMassExpiry: true,
      deadlines: PATIENT,
      ...context,
    });
  }

  /** All that Redis holds of the entry. */
  async function kept(): Promise<unknown[]> {
    return [
      await client.hgetall('{gsls}:server:id'),
      await client.zscore('{gsls}:servers', 'id'),
      await client.zscore('{gsls}:removed', 'id'),
      await client.hgetall('{gsls}:settings'),
    ];
  }

  const WRITES: Readonly<Record<string, (scripts: Scripts) => Promise<unknown>>> = {
    'a ping': (scripts) => scripts.ping('id', aGameServer({ players: 9 })),
    'a broadcast': (scripts) =>
      scripts.broadcast('id', aGameServer(), { address: '192.0.2.1', proof: 'token' }),
    'a rebroadcast': (scripts) =>
      scripts.rebroadcast('id', aGameServer({ name: 'new' }), { address: '192.0.2.1', proof: 'token' }),
    'a remove': (scripts) => scripts.remove('id', aGameServer().ip, UNKNOWN_CALLER),
    'a note of reachability': (scripts) => scripts.noteReachability('id', aGameServer(), 'answered'),
    'a decision': (scripts) => scripts.moderate(0, formatDecisions(NO_DECISIONS)),
  };

  for (const [what, write] of Object.entries(WRITES))
    it(`changes nothing: ${what}, on its way while its process was frozen`, async () => {
      const late: string[] = [];
      const scripts = scriptsWith({ events: { onError: (kind) => late.push(kind) } });
      await listEntry(scripts);
      const before = await kept();
      const sendCommand = client.sendCommand.bind(client);
      client.sendCommand = (command, ...more) => {
        performance.now = () => actualNow() + 2 * PATIENT.writeMs;
        // As if Redis got it so much later.
        command.args = command.args.map((arg) =>
          isTime(arg) ? String(Number(arg) - 2 * PATIENT.writeMs) : arg,
        );
        return sendCommand(command, ...more);
      };
      const error = await write(scripts).catch((thrown: unknown) => thrown);
      client.sendCommand = sendCommand;
      expect((error as Error).cause).to.be.instanceOf(ProcessPaused);
      expect(late).to.deep.equal(['late']);
      expect(await kept()).to.deep.equal(before);
    });

  for (const [where, ms] of Object.entries({ forwards: HOUR_MS, backwards: -HOUR_MS }))
    it(`is none after the clock of Redis was set an hour ${where}`, async () => {
      let time = Date.now();
      const calls: string[] = [];
      const events = { onCall: (name: string) => calls.push(name) };
      const scripts = scriptsWith({ now: () => time, events });
      await listEntry(scripts);
      time += ms;
      for (const players of [7, 8])
        expect((await scripts.ping('id', aGameServer({ players }))).outcome).to.equal('refreshed');
      expect(await client.hget('{gsls}:server:id', 'players')).to.equal('8');
      // What was refused once is made again by the new time, and what comes later need not be.
      expect(calls.filter((name) => name === 'ping')).to.have.length(ms > 0 ? 3 : 2);
    });
});

/** Lists the entry in a registry that is whole, as only such a one takes what is new. */
async function listEntry(scripts: Scripts): Promise<void> {
  const { epoch, health } = await scripts.changes(BEGINNING);
  await scripts.declareWhole(epoch, health.loss, 0);
  expect(await scripts.broadcast('id', aGameServer())).to.have.property('outcome', 'listed');
}

/** Whether an argument is a time of this century, in ms. */
function isTime(arg: unknown): boolean {
  return typeof arg === 'string' && /^1[6-9]\d{11}$/.test(arg);
}

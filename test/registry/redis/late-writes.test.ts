/**
 * A write that reaches Redis late changes nothing: its client was answered, and a newer write may have overtaken it.
 */

import { expect } from 'chai';
import { Redis } from 'ioredis';
import { formatDecisions } from '../../../src/registry/decisions/decisions-document.ts';
import { NO_DECISIONS } from '../../../src/registry/decisions/decisions.ts';
import type { Follower } from '../../../src/registry/redis/follower/follower.ts';
import type { ConfirmedList } from '../../../src/registry/redis/follower/list-copy.ts';
import { GuardedWrites } from '../../../src/registry/redis/guarded-writes.ts';
import { CircuitBreaker } from '../../../src/registry/redis/scripts/circuit-breaker.ts';
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
import { startRedisServer, useRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
const COMMAND_MS = 200;

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

  it('changes nothing: a ping that this replica had given up', async () => {
    const server = await startRedisServer();
    const hurried = new Redis({ port: server.port, commandTimeout: COMMAND_MS });
    const observer = new Redis(server.port);
    try {
      const scripts = scriptsWith({ client: hurried, deadlines: { ...PATIENT, commandMs: COMMAND_MS } });
      await listEntry(scriptsWith({ client: observer }));
      const knowsTheTime = (): Promise<boolean> =>
        scripts.changes(BEGINNING).then(
          () => true,
          () => false,
        );
      await until(knowsTheTime);
      server.freeze();
      const failed = await scripts.ping('id', aGameServer({ players: 9 })).catch((thrown: unknown) => thrown);
      expect((failed as Error).cause).to.have.property('message', 'Command timed out');
      server.thaw();
      // The same connection: by its answer the ping before it is over.
      await until(async () => (await hurried.ping().catch(() => '')) === 'PONG');
      expect(await observer.hget('{gsls}:server:id', 'players')).to.equal(String(aGameServer().players));
    } finally {
      server.thaw();
      hurried.disconnect();
      observer.disconnect();
      await server.stop();
    }
  });

  it('is not sent at all: the repetition of a ping whose request is too long ago', async () => {
    const scripts = scriptsWith();
    await listEntry(scripts);
    const before = await kept();
    const since = performance.now() - PATIENT.writeMs - 1;
    const late = scripts.ping('id', aGameServer({ players: 9 }), UNKNOWN_CALLER, undefined, since);
    const inTime = scripts.ping('other', aGameServer());
    expect(((await late.catch((thrown: unknown) => thrown)) as Error).cause).to.be.instanceOf(ProcessPaused);
    // One that waits for the same group is not late.
    expect((await inTime).outcome).to.equal('unknown');
    expect(await kept()).to.deep.equal(before);
  });

  it('is as old at each repetition as its request', async () => {
    const pulse = { beatAt: 1 };
    const writes = new GuardedWrites({
      breaker: new CircuitBreaker({ onOpen: () => undefined, onClose: () => undefined }),
      follower: { get: () => undefined } as unknown as Follower,
      rest: { wake: () => undefined },
      readBarrier: async () => ({ loss: 'a' }) as ConfirmedList,
      writesBack: true,
      lossNoticeMs: 0,
      deadlines: PATIENT,
      pulse,
    });
    const sinces: number[] = [];
    const reply = await writes.untilSure('id', { caller: UNKNOWN_CALLER }, async (since) => {
      sinces.push(since);
      pulse.beatAt += 1;
      return sinces.length < 3
        ? { outcome: 'unknown', health: { loss: 'a', isWhole: false } }
        : { outcome: 'refreshed' };
    });
    expect(reply.outcome).to.equal('refreshed');
    expect(sinces).to.deep.equal([1, 1, 1]);
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

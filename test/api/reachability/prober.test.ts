import { expect } from 'chai';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import {
  Prober,
  VERIFY_INTERVAL_MS,
  type Candidate,
  type ProberOptions,
} from '../../../src/api/reachability/prober.ts';
import type { ProbeOutcome, ProbeTarget } from '../../../src/api/reachability/probe-result.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

/** A probe that is under way until the test says what came of it. */
interface OpenProbe extends ProbeTarget {
  readonly signal: AbortSignal;
  settle(outcome: ProbeOutcome): Promise<void>;
}

/** An address of its own for each number. */
const addressOf = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

describe('the prober', () => {
  let clock: ManualClock;
  let open: OpenProbe[];
  let results: string[];
  let prober: Prober;

  const createProber = (options: Partial<ProberOptions> = {}): Prober => {
    prober = new Prober({
      probe: (target, signal) =>
        new Promise((resolve) => {
          const giveUp = (): void => void probe.settle('not_tried');
          const probe: OpenProbe = {
            ...target,
            signal,
            async settle(outcome) {
              open.splice(open.indexOf(probe), 1);
              signal.removeEventListener('abort', giveUp);
              resolve({ outcome, words: outcome });
              await nextTurnOfTheLoop();
            },
          };
          open.push(probe);
          signal.addEventListener('abort', giveUp);
        }),
      rule: () => undefined,
      takeLease: async () => true,
      onResult: (id, { port }, { outcome }) => void results.push(`${id}:${port} ${outcome}`),
      networkOf: (ip) => ip,
      clock,
      ...options,
    });
    return prober;
  };

  /** Offers a game server and lets what follows happen. */
  const offer = async (candidate: Partial<Candidate> = {}) => {
    const refusal = prober.offer({
      id: 'a',
      ip: '203.0.113.7',
      port: 7777,
      clientAddress: '203.0.113.7',
      isVerified: false,
      isBroadcast: false,
      ...candidate,
    });
    await nextTurnOfTheLoop();
    return refusal?.reason;
  };

  /** Lets time pass, while the entry of `offer` pings each 20 s. Returns after how many seconds a probe began. */
  const secondsToProbe = async (candidate: Partial<Candidate> = {}): Promise<number> => {
    const beganAt = clock.now();
    while (open.length === 0) {
      await clock.advance(1000);
      await nextTurnOfTheLoop();
      const elapsedMs = clock.now() - beganAt;
      if (elapsedMs % 20_000 === 0) await offer(candidate);
      if (elapsedMs > 10 * VERIFY_INTERVAL_MS) return Infinity;
    }
    return (clock.now() - beganAt) / 1000;
  };

  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await nextTurnOfTheLoop();
  };

  /** Settles each probe as it begins, and returns how many they were. */
  const probesWithin = async (ms: number, outcome: ProbeOutcome): Promise<number> => {
    let probes = 0;
    for (const end = clock.now() + ms; clock.now() < end; await pass(1000))
      while (open.length > 0) {
        probes += 1;
        await open[0]!.settle(outcome);
      }
    return probes;
  };

  beforeEach(() => {
    clock = new ManualClock();
    open = [];
    results = [];
  });

  afterEach(() => prober.close());

  describe('in time', () => {
    it('probes a game server at once after its broadcast, and tells the result', async () => {
      createProber();
      expect(await offer({ isBroadcast: true })).to.equal(undefined);
      expect(open).to.have.length(1);
      expect(open[0]).to.include({ ip: '203.0.113.7', port: 7777 });
      await open[0]!.settle('answered');
      expect(results).to.deep.equal(['a:7777 answered']);
    });

    it('probes a game server that answered again after ten minutes, and no ping makes it sooner', async () => {
      createProber();
      await offer({ isBroadcast: true });
      await open[0]!.settle('answered');
      expect(await secondsToProbe({ isVerified: true })).to.equal(600);
    });

    it('probes a game server that failed again after growing pauses, up to ten minutes', async () => {
      createProber();
      await offer({ isBroadcast: true });
      const pauses: number[] = [];
      for (let failure = 0; failure < 7; failure += 1) {
        await open[0]!.settle('refused');
        pauses.push(await secondsToProbe());
      }
      expect(pauses).to.deep.equal([15, 30, 60, 120, 240, 600, 600]);
      expect(results).to.deep.equal(Array.from({ length: 7 }, () => 'a:7777 refused'));
      await open[0]!.settle('answered');
      expect(results.at(-1)).to.equal('a:7777 answered');
    });

    it('tells of a verified game server only its third failure in a row', async () => {
      createProber();
      await offer({ isBroadcast: true });
      await open[0]!.settle('answered');
      const pauses: number[] = [];
      for (const outcome of [
        'no_answer',
        'no_answer',
        'answered',
        'no_answer',
        'no_answer',
        'refused',
      ] as const) {
        pauses.push(await secondsToProbe({ isVerified: true }));
        await open[0]!.settle(outcome);
      }
      expect(pauses).to.deep.equal([600, 15, 30, 600, 15, 30]);
      expect(results).to.deep.equal(['a:7777 answered', 'a:7777 answered', 'a:7777 refused']);
    });

    it('probes at once again after another broadcast, however long the pause was', async () => {
      createProber();
      await offer({ isBroadcast: true });
      await open[0]!.settle('refused');
      await offer();
      expect(open).to.have.length(0);
      await offer({ isBroadcast: true });
      expect(open).to.have.length(1);
    });

    it('probes at once a game server that has moved, and tells nothing of the old address', async () => {
      createProber();
      await offer({ isBroadcast: true });
      const [old] = open;
      await offer({ ip: '203.0.113.8' });
      expect(open.map(({ ip }) => ip)).to.deep.equal(['203.0.113.7', '203.0.113.8']);
      await old!.settle('answered');
      expect(results).to.deep.equal([]);
      await open[0]!.settle('refused');
      expect(results).to.deep.equal(['a:7777 refused']);
    });

    it('lets a game server that was verified before have its first probe after ten minutes', async () => {
      createProber();
      await offer({ isVerified: true });
      expect(open).to.have.length(0);
      expect(await secondsToProbe({ isVerified: true })).to.equal(600);
    });

    it('leaves alone for an interval what another process has verified meanwhile', async () => {
      createProber();
      await offer();
      await open[0]!.settle('refused');
      await offer({ isVerified: true });
      expect(await secondsToProbe({ isVerified: true })).to.equal(600);
    });

    it('drops an entry that is not named for an interval, and one that is forgotten', async () => {
      createProber();
      await offer({ id: 'silent', isVerified: true });
      await offer({ id: 'forgotten', port: 7778 });
      await open[0]!.settle('refused');
      prober.forget('forgotten');
      await pass(MINUTE_MS);
      expect(open).to.have.length(0);
      await pass(VERIFY_INTERVAL_MS + MINUTE_MS);
      expect([open.length, prober.size]).to.deep.equal([0, 0]);
    });
  });

  describe('with other processes', () => {
    it('asks before each probe whether it is the turn of this process, and tries again later if not', async () => {
      const claims: [string, number][] = [];
      let answer = false;
      createProber({
        async takeLease(id, forMs) {
          claims.push([id, forMs]);
          return answer;
        },
      });
      await offer({ isBroadcast: true });
      await pass(14_000);
      expect(claims).to.deep.equal([['a', 10_000]]);
      answer = true;
      await pass(1000);
      expect(open).to.have.length(1);
      await open[0]!.settle('answered');
      await secondsToProbe({ isVerified: true });
      expect(claims.at(-1)).to.deep.equal(['a', 540_000]);
    });

    it('asks again after growing pauses when it is not its turn, and after ten minutes for a verified one', async () => {
      const claimedAt: number[] = [];
      createProber({
        async takeLease() {
          claimedAt.push(clock.now() / 1000);
          return false;
        },
      });
      while (claimedAt.length < 6) {
        await offer({ isVerified: claimedAt.length > 3 });
        await pass(1000);
      }
      const pauses = claimedAt.slice(1).map((at, before) => at - claimedAt[before]!);
      expect(pauses).to.deep.equal([15, 30, 60, 600, 600]);
    });

    it('probes nothing while the turn cannot be asked for, and goes on afterwards', async () => {
      let isAvailable = false;
      createProber({
        async takeLease() {
          if (!isAvailable) throw new Error('unavailable');
          return true;
        },
      });
      await offer({ isBroadcast: true });
      expect(open).to.have.length(0);
      isAvailable = true;
      expect(await secondsToProbe()).to.equal(15);
    });

    it('probes soon again when a result could not be told', async () => {
      createProber({ onResult: () => Promise.reject(new Error('unavailable')) });
      await offer({ isBroadcast: true });
      await open[0]!.settle('answered');
      expect(await secondsToProbe()).to.equal(15);
    });

    it('tells nothing of a probe that was not tried, and tries again soon', async () => {
      createProber();
      await offer({ isBroadcast: true });
      await open[0]!.settle('not_tried');
      expect(results).to.deep.equal([]);
      expect(await secondsToProbe()).to.equal(15);
    });
  });

  describe('under a flood', () => {
    it('probes what the rule allows, and keeps nothing of the rest', async () => {
      createProber({
        rule: ({ ip }, clientAddress) =>
          ip === clientAddress ? undefined : { reason: 'other_address', words: '' },
      });
      expect(await offer({ clientAddress: '203.0.113.8' })).to.equal('other_address');
      expect([open.length, prober.size]).to.deep.equal([0, 0]);
    });

    it('opens 16 probes at most, one for each network, and keeps no more than there are places', async () => {
      const warnings: Error[] = [];
      const onWarning = (warning: Error): void => void warnings.push(warning);
      process.on('warning', onWarning);
      createProber({ limits: { places: 20_000 } });
      let refused = 0;
      for (let number = 0; number < 100_000; number += 1) {
        const ip = addressOf(number % 50_000);
        const refusal = prober.offer({
          id: `id-${number}`,
          ip,
          port: 7777,
          clientAddress: ip,
          isVerified: false,
          isBroadcast: true,
        });
        if (refusal?.reason === 'too_many') refused += 1;
      }
      await nextTurnOfTheLoop();
      expect(open).to.have.length(16);
      expect(warnings).to.deep.equal([]);
      expect(new Set(open.map(({ ip }) => ip)).size).to.equal(16);
      expect([prober.size, refused]).to.deep.equal([10_000, 90_000]);
      for (let probe = 0; probe < 100; probe += 1) {
        await open[0]!.settle('no_answer');
        expect(open).to.have.length(16);
      }
      process.off('warning', onWarning);
    });

    it('lets no network fill the places: there is room and a turn for the honest', async () => {
      createProber({ limits: { places: 10_000 } });
      for (let number = 0; number < 100_000; number += 1)
        prober.offer({
          id: `id-${number}`,
          ip: addressOf(number % 20),
          port: 1024 + (number % 60_000),
          clientAddress: '',
          isVerified: false,
          isBroadcast: true,
        });
      await nextTurnOfTheLoop();
      expect(prober.size).to.be.within(1000, 3000);
      expect(await offer({ id: 'honest', ip: '203.0.113.7' })).to.equal(undefined);
      // One turn of each network comes first.
      for (let turn = 0; turn < 20; turn += 1) await open[0]!.settle('no_answer');
      expect(open.map(({ ip }) => ip)).to.include('203.0.113.7');
    });

    it('probes one address 60 times, then leaves it alone for a minute', async () => {
      createProber();
      for (let port = 2000; port < 2150; port += 1) await offer({ id: `id-${port}`, port });
      expect(await probesWithin(MINUTE_MS - 1000, 'answered')).to.equal(60);
      expect(await probesWithin(MINUTE_MS, 'answered')).to.equal(60);
      expect(await probesWithin(MINUTE_MS, 'answered')).to.equal(30);
    });

    it('leaves an address alone after many probes also when all of its entries went and new ones came', async () => {
      createProber();
      for (let port = 2000; port < 2059; port += 1) await offer({ id: `old-${port}`, port });
      expect(await probesWithin(1000, 'refused')).to.equal(59);
      for (let port = 2000; port < 2059; port += 1) prober.forget(`old-${port}`);
      await pass(15_000);
      for (let port = 2000; port < 2059; port += 1) await offer({ id: `new-${port}`, port });
      expect(await probesWithin(MINUTE_MS - 15_000, 'refused')).to.equal(0);
      expect(await probesWithin(MINUTE_MS, 'answered')).to.equal(59);
    });

    it('gives the places of entries that are gone back, and forgets their networks', async () => {
      createProber({ limits: { places: 200 } });
      for (let round = 0; round < 20; round += 1) {
        for (let number = 0; number < 90; number += 1)
          expect(
            await offer({ id: `${round}-${number}`, ip: addressOf(number), isBroadcast: true }),
          ).to.equal(undefined);
        while (open.length > 0) await open[0]!.settle('answered');
        for (let number = 0; number < 90; number += 1) prober.forget(`${round}-${number}`);
        await pass(VERIFY_INTERVAL_MS + 2 * MINUTE_MS);
      }
    });
  });

  it('when closed gives up what is under way, and probes and tells nothing more', async () => {
    let claims = 0;
    createProber({ takeLease: async () => (claims += 1) > 0 });
    await offer({ isBroadcast: true });
    await offer({ id: 'b', port: 7778, isBroadcast: true });
    const [probe] = open;
    prober.close();
    await nextTurnOfTheLoop();
    expect(probe!.signal.aborted).to.equal(true);
    await pass(VERIFY_INTERVAL_MS);
    await offer({ id: 'c', ip: '203.0.113.8', isBroadcast: true });
    expect([open, results, claims, clock.timers]).to.deep.equal([[], [], 1, 0]);
  });
});

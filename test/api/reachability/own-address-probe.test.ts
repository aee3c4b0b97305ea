/** A probe of the address that somebody asks from: of no other one, seldom, and few at once. */

import { expect } from 'chai';
import { createConfig } from '../../../src/service/config/config.ts';
import { roomOptionsOf } from '../../../src/service/room-options.ts';
import { createProbeResult, type ProbeTarget } from '../../../src/api/reachability/probe-result.ts';
import { OwnAddressProbe, type OwnProbeOptions } from '../../../src/api/reachability/own-address-probe.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const HOME = { ip: '8.8.4.4', port: 7777 };

describe('the probe of the own address', () => {
  const clock = new ManualClock(0);
  let probed: string[];
  let answer: (() => void)[];
  const open = (
    options: Partial<OwnProbeOptions> = {},
    environment = { GSLS_VERIFY: 'tcp' },
  ): OwnAddressProbe =>
    new OwnAddressProbe({
      verify: roomOptionsOf(createConfig({ flags: {}, environment, readFile: () => '' })).doctor.verify,
      lease: { take: async () => true },
      clock,
      probe: async (target: ProbeTarget) => {
        probed.push(`${target.ip} ${target.port}`);
        return createProbeResult('answered', 'tcp', target, 3000);
      },
      ...options,
    });
  beforeEach(() => {
    probed = [];
    answer = [];
  });

  it('tries the address of the client once in 30 s, and remembers what came of it', async () => {
    const { probe } = open();
    for (let n = 0; n < 3; n += 1) expect((await probe(HOME, HOME.ip)).is).to.equal('probed');
    expect(await probe({ ...HOME, port: 7778 }, HOME.ip)).to.deep.equal({ is: 'busy' });
    expect(probed).to.deep.equal(['8.8.4.4 7777']);
    await clock.advance(30_000);
    expect((await probe({ ...HOME, port: 7778 }, HOME.ip)).is).to.equal('probed');
    expect(probed).to.deep.equal(['8.8.4.4 7777', '8.8.4.4 7778']);
  });

  it('counts a network of IPv6 as one client', async () => {
    const { probe } = open();
    const [one, other] = ['2001:4860::1', '2001:4860::2'] as const;
    expect((await probe({ ip: one, port: 7777 }, one)).is).to.equal('probed');
    expect((await probe({ ip: other, port: 7777 }, other)).is).to.equal('busy');
  });

  it('tries nothing else: no other address, no private one, no port of mail', async () => {
    const { probe } = open();
    const wordsOf = async (target: ProbeTarget, client: string): Promise<string> => {
      const outcome = await probe(target, client);
      return outcome.is === 'refused' ? outcome.words : outcome.is;
    };
    expect(await wordsOf(HOME, '1.1.1.1')).to.match(/only the address that you ask from/);
    expect(await wordsOf({ ip: '192.168.0.7', port: 7777 }, '192.168.0.7')).to.match(/not a public address/);
    expect(await wordsOf({ ...HOME, port: 25 }, HOME.ip)).to.match(/port 25 is not tried/);
    const named = open({}, { GSLS_VERIFY: 'tcp', GSLS_VERIFY_NETWORKS: '10.0.0.0/8' } as never);
    expect((await named.probe({ ip: '10.0.0.7', port: 7777 }, '8.8.4.4')).is).to.equal('refused');
    expect(probed).to.deep.equal([]);
  });

  it('tries nobody where the service verifies nobody, nor once it is closed', async () => {
    expect(await open({}, {} as never).probe(HOME, HOME.ip)).to.deep.equal({ is: 'off' });
    const closed = open();
    closed.close();
    expect(await closed.probe(HOME, HOME.ip)).to.deep.equal({ is: 'off' });
    expect(probed).to.deep.equal([]);
  });

  it('has eight under way at the most, and leaves to another replica what that one has tried', async () => {
    const { probe } = open({
      probe: (target) =>
        new Promise((resolve) =>
          answer.push(() => resolve(createProbeResult('no_answer', 'tcp', target, 3000))),
        ),
    });
    const all = Array.from({ length: 9 }, (_, n) => probe({ ip: `8.8.4.${n}`, port: 7777 }, `8.8.4.${n}`));
    expect(await all[8]).to.deep.equal({ is: 'busy' });
    await Promise.resolve();
    for (const each of answer) each();
    expect((await Promise.all(all.slice(0, 8))).map(({ is }) => is)).to.deep.equal(Array(8).fill('probed'));
    for (const take of [async () => false, () => Promise.reject(new Error('no Redis'))])
      expect(await open({ lease: { take } }).probe(HOME, HOME.ip)).to.deep.equal({ is: 'busy' });
    expect(probed).to.deep.equal([]);
  });
});

/** The contract of reports: what readers have said against entries. */

import { expect } from 'chai';
import { MOST_OF_ONE, VOICE_LIFE_MS, type Voice } from '../../../src/registry/reports/voices.ts';
import type { RegistryFixture } from '../registry-fixture.ts';

export function describeReports(fixture: RegistryFixture): void {
  const voice = (network: string, overrides: Partial<Voice> = {}): Voice => ({
    network,
    reason: 'spam',
    at: fixture.clock.now(),
    ...overrides,
  });
  const add = (id: string, network: string, overrides?: Partial<Voice>): Promise<readonly Voice[]> =>
    fixture.registry.reports.add(id, voice(network, overrides));
  const all = async (): Promise<Readonly<Record<string, readonly Voice[]>>> =>
    Object.fromEntries(await fixture.registry.reports.all());

  describe('the reports', () => {
    it('have one voice of each network about an entry, its latest', async () => {
      await add('a', 'one');
      await add('a', 'two', { note: 'Ünïcode "note" \u{1f600}' });
      const now = await add('a', 'one', { reason: 'cheating' });
      await add('b', 'one');
      expect(now).to.deep.equal([
        voice('two', { note: 'Ünïcode "note" \u{1f600}' }),
        voice('one', { reason: 'cheating' }),
      ]);
      expect(await all()).to.deep.equal({ a: now, b: [voice('one')] });
    });

    it('lose no voice of many that come at once', async () => {
      const networks = Array.from({ length: 40 }, (_, n) => `network ${n}`);
      await Promise.all(networks.flatMap((network) => [add('a', network), add(`of ${network}`, network)]));
      const { a, ...others } = await all();
      expect(a!.map(({ network }) => network)).to.have.members(networks);
      expect(Object.keys(others)).to.have.length(40);
    });

    it('end after a week', async () => {
      const begun = fixture.clock.now() - VOICE_LIFE_MS;
      await add('a', 'one', { at: begun + 5000 });
      await add('a', 'two', { at: begun + 10_000 });
      expect((await all())['a']).to.have.length(2);
      await fixture.clock.advance(5000);
      expect((await all())['a']).to.deep.equal([voice('two', { at: begun + 10_000 })]);
      await fixture.clock.advance(5000);
      expect(await all()).to.deep.equal({});
    });

    it('are dismissed by entry, and may come again', async () => {
      await add('a', 'one');
      await add('b', 'one');
      await fixture.registry.reports.dismiss('a');
      await fixture.registry.reports.dismiss('none');
      expect(await all()).to.deep.equal({ b: [voice('one')] });
      await add('a', 'two');
      expect((await all())['a']).to.deep.equal([voice('two')]);
    });

    it('are the latest of an entry, if more networks report it than are kept', async () => {
      for (let n = 0; n < MOST_OF_ONE + 2; n += 1) await add('a', `network ${n}`);
      const { a } = await all();
      expect(a).to.have.length(MOST_OF_ONE);
      expect([a![0]!.network, a!.at(-1)!.network]).to.deep.equal(['network 2', `network ${MOST_OF_ONE + 1}`]);
    });

    it('outlive the entry that they are about', async () => {
      const id = await fixture.broadcast();
      await add(id, 'one');
      await fixture.remove(id);
      expect(Object.keys(await all())).to.deep.equal([id]);
    });
  });
}

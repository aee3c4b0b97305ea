/** What all readers of the list share. */

import { expect } from 'chai';
import { jsonAnswer } from '../../../src/api/http/answer.ts';
import { CurrentList } from '../../../src/api/http/current-list.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { Listing } from '../../../src/registry/registry.ts';
import { lifetime } from '../../support/registry-fixture.ts';

describe('the current list', () => {
  let registry: MemoryRegistry;
  let now: number;
  let staleSince: number | undefined;
  let looks: number;
  const list = async (): Promise<Listing> => {
    looks += 1;
    return { snapshot: (await registry.list()).snapshot, staleSince };
  };
  const create = (listMaxAgeMs = 0): CurrentList =>
    new CurrentList({
      registry: { list },
      maxStaleMs: 5000,
      listMaxAgeMs,
      isPrivate: false,
      now: () => now,
    });
  beforeEach(() => {
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
    now = 100_000;
    staleSince = undefined;
    looks = 0;
  });
  afterEach(() => registry.close());

  it('is asked of the registry once in --list-max-age, however many read it in different ways', async () => {
    const current = create(1000);
    const { snapshot } = await current.listing();
    now += 999;
    const { status } = await current.answer((seen) => jsonAnswer({ same: seen === snapshot }));
    expect([status, looks]).to.deep.equal([200, 1]);
    now += 1;
    await current.listing();
    expect(looks).to.equal(2);
  });

  it('is asked of the registry anew when the clock was set back', async () => {
    const current = create(1000);
    await current.listing();
    now -= 60_000;
    await current.listing();
    expect(looks).to.equal(2);
  });

  it('marks every answer that is made from it while it is stale, and no other', async () => {
    const current = create();
    const answer = () => current.answer(() => jsonAnswer({}, { ETag: '"x"' }));
    expect((await answer()).headers).to.not.have.any.keys('Age', 'Warning');
    staleSince = now - 1;
    expect((await answer()).headers).to.include({
      Age: '1',
      Warning: '110 - "Response is Stale"',
      ETag: '"x"',
    });
  });

  it('is refused to all that read it once it is older than --max-stale', async () => {
    const current = create();
    staleSince = now - 5001;
    for (const read of [() => current.listing(), () => current.answer(() => jsonAnswer({}))])
      expect(await (read() as Promise<unknown>).catch((error: { code: string }) => error.code)).to.equal(
        'registry_unavailable',
      );
  });
});

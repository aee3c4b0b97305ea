import { expect } from 'chai';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { finish } from '../../../src/api/work/work.ts';
import { anEntry } from '../../support/builders.ts';

const COUNT = 3000;

/** A list of which some names are not shown, and which has a version for each change. */
class ModeratedList {
  readonly hiddenNames = new Set<string>();
  /** The labels of the entries with these names. */
  readonly labels = new Map<string, readonly string[]>();
  readonly builder = new SnapshotBuilder<ListedGameServer>(() => ({
    isShown: ({ name }) => !this.hiddenNames.has(name),
    labelsOf: ({ name }) => this.labels.get(name),
    shownPlayersOf: () => undefined,
  }));
  #version = 0;

  readonly nextVersion = (): number => (this.#version += 1);

  set(n: number, name: string): void {
    const version = this.nextVersion();
    this.builder.set(anEntry({ id: `id-${n}`, name, registeredVersion: n, version }));
  }

  snapshot(): Snapshot {
    return this.builder.build({ epoch: 'e', history: 'h', version: this.#version });
  }

  /** Hides or shows by the names there are now; `meanwhile` gets each turn of the event loop that comes between. */
  async reconsider(meanwhile: () => void): Promise<void> {
    const actualNow = performance.now.bind(performance);
    let ms = 0;
    let isOver = false;
    performance.now = () => (ms += 0.01);
    const look = (): void => {
      if (isOver) return;
      meanwhile();
      setImmediate(look);
    };
    setImmediate(look);
    try {
      await this.builder.reconsider(this.nextVersion);
    } finally {
      isOver = true;
      performance.now = actualNow;
    }
  }
}

const namesIn = ({ chunks }: Snapshot): readonly string[] =>
  chunks.flatMap(({ rows }) => rows.map(({ name }) => name));

const idsIn = ({ chunks }: Snapshot): readonly string[] =>
  chunks.flatMap(({ rows }) => rows.map(({ id }) => id));

describe('a decision on what is shown', () => {
  it('takes turns, and each list in between is the only one of its version', async () => {
    const list = new ModeratedList();
    for (let n = 0; n < COUNT; n += 1) list.set(n, n % 3 === 0 ? 'good' : 'bad');
    const between: Snapshot[] = [list.snapshot()];
    for (const decide of [() => list.hiddenNames.add('bad'), () => list.hiddenNames.clear()]) {
      decide();
      await list.reconsider(() => between.push(list.snapshot()));
    }
    const last = list.snapshot();
    expect(idsIn(last)).to.have.length(COUNT);
    expect(
      between.map(({ count }) => count).filter((count) => count > 1000 && count < COUNT),
    ).to.have.length.above(4);
    const byVersion = new Map<number, readonly string[]>();
    for (const snapshot of between) {
      const { version } = snapshot;
      const known = byVersion.get(version) ?? idsIn(snapshot);
      byVersion.set(version, known);
      expect(idsIn(snapshot)).to.deep.equal(known);
      const { changed, gone } = finish(last.changesSince(snapshot))!;
      const after = new Set([...known].filter((id) => !gone.has(id)));
      for (const { id } of changed) after.add(id);
      expect([...after].toSorted()).to.deep.equal([...idsIn(last)].toSorted());
    }
  });

  it('holds for all entries, however many are changed meanwhile', async () => {
    const list = new ModeratedList();
    for (let n = 0; n < COUNT; n += 1) list.set(n, 'good');
    list.snapshot();
    // These are not worked into the chunks yet.
    for (let n = 0; n < 300; n += 1) list.set(n, 'bad');
    list.hiddenNames.add('bad');
    let next = 300;
    await list.reconsider(() => {
      for (let n = 0; n < 200 && next < COUNT; n += 1, next += 1)
        list.set(next, n % 2 === 0 ? 'better' : 'bad');
    });
    expect(next).to.be.above(1000);
    expect(namesIn(list.snapshot())).to.not.include('bad');
    list.hiddenNames.clear();
    await list.reconsider(() => undefined);
    expect(list.snapshot().count).to.equal(COUNT);
  });
});

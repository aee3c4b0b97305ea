/** The union of the lists of several origins. */

import { expect } from 'chai';
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
} from 'fast-check';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { VersionedList } from '../../../src/registry/memory/versioned-list.ts';
import { Union, type OriginEntries, type OriginEntry } from '../../../src/registry/mirror/union.ts';
import { aGameServer } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type TestOrigin = OriginEntries & { isFresh: boolean };

function anOrigin(name: string): TestOrigin {
  return { name, entries: new Map(), isFresh: true };
}

function anEntry(
  origin: OriginEntries,
  id: string,
  port: number,
  registeredVersion = 1000,
  players = 0,
): OriginEntry {
  const details = Details.of({ origin: origin.name });
  return { ...aGameServer({ port, players }), id, details, registeredVersion, origin: origin.name };
}

class Fixture {
  readonly origins = ['eu', 'us', 'as'].map(anOrigin);
  readonly list = new VersionedList<ListedGameServer>({
    clock: new ManualClock(),
  });
  readonly union = new Union(this.origins, this.list);

  constructor() {
    this.list.begin(undefined, 0);
  }

  /** The list, in order, as `id@origin` with the further origins behind it. */
  get shown(): string[] {
    return this.list
      .build()
      .chunks.flatMap(({ rows }) => [...rows])
      .map(({ id, details: { fields } }) => [`${id}@${fields.origin}`, ...(fields.also_at ?? [])].join('+'));
  }
}

/** The list by the rule itself, looked at from all entries. */
function expectedOf(origins: readonly TestOrigin[]): string[] {
  const all = origins.flatMap((origin) => [...origin.entries.values()].map((entry) => ({ origin, entry })));
  const rank = ({ origin, entry }: (typeof all)[number]): string =>
    [origin.isFresh ? 0 : 1, String(entry.registeredVersion).padStart(9, '0'), origin.name, entry.id].join(
      ' ',
    );
  const sorted = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const holders = sorted.filter(
    (one, at) =>
      !sorted.slice(0, at).some(({ entry, origin }) => entry.id === one.entry.id && origin !== one.origin),
  );
  return holders
    .filter((one) => {
      const first = holders.find(({ entry }) => entry.port === one.entry.port);
      return first!.origin === one.origin;
    })
    .toSorted(
      (a, b) => a.entry.registeredVersion - b.entry.registeredVersion || (a.entry.id < b.entry.id ? -1 : 1),
    )
    .map(({ origin, entry }) => {
      const others = new Set(
        all
          .filter((each) => each.entry.port === entry.port && each.origin !== origin)
          .map((each) => each.origin.name),
      );
      return [`${entry.id}@${origin.name}`, ...[...others].toSorted()].join('+');
    });
}

describe('the union of origins', () => {
  it('shows a game server of several origins once, as the one has it that listed it first', () => {
    const { origins, union } = new Fixture();
    union.set(anEntry(origins[1]!, 'us1', 7777, 2000));
    union.set(anEntry(origins[0]!, 'eu1', 7777, 3000));
    expect(union.known('eu1')?.id).to.equal('us1');
    expect(union.known('us1')?.details.fields).to.deep.include({ origin: 'us', also_at: ['eu'] });
    union.delete(origins[1]!, 'us1');
    expect(union.known('us1')).to.equal(undefined);
    expect(union.known('eu1')?.details.fields).to.deep.equal({ origin: 'eu' });
  });

  it('turns to an origin that is fresh, and back', async () => {
    const fixture = new Fixture();
    const { origins, union } = fixture;
    union.set(anEntry(origins[0]!, 'eu1', 7777, 1000));
    union.set(anEntry(origins[1]!, 'us1', 7777, 2000));
    origins[0]!.isFresh = false;
    await union.refresh(origins[0]!);
    expect(fixture.shown).to.deep.equal(['us1@us+eu']);
    origins[0]!.isFresh = true;
    await union.refresh(origins[0]!);
    expect(fixture.shown).to.deep.equal(['eu1@eu+us']);
  });

  it('takes no new version for what says the same', () => {
    const fixture = new Fixture();
    fixture.union.set(anEntry(fixture.origins[0]!, 'eu1', 7777));
    const { version } = fixture.list;
    fixture.union.set(anEntry(fixture.origins[0]!, 'eu1', 7777));
    expect(fixture.list.version).to.equal(version);
    fixture.union.set(anEntry(fixture.origins[0]!, 'eu1', 7777, 1000, 5));
    expect(fixture.list.version).to.be.above(version);
  });

  it('is what the rule says, and tells each change of it, after any changes of the origins', async () => {
    const id = constantFrom('a', 'b', 'c', 'd');
    const origin = nat(2);
    const change = oneof(
      record({ is: constant('set'), origin, id, port: integer({ min: 1, max: 3 }), at: nat(3) }),
      record({ is: constant('delete'), origin, id }),
      record({ is: constant('turn'), origin }),
    );
    await assert(
      asyncProperty(array(change, { maxLength: 40 }), async (changes) => {
        const { origins, union, list } = new Fixture();
        const follower = new Map<string, string>();
        let before = list.build();
        for (const each of changes) {
          const its = origins[each.origin]!;
          if (each.is === 'turn') {
            its.isFresh = !its.isFresh;
            await union.refresh(its);
          } else if ('port' in each) union.set(anEntry(its, each.id, each.port, each.at * 1000));
          else if ('id' in each) union.delete(its, each.id);
          const now = list.build();
          const work = now.changesSince(before);
          let step = work.next();
          while (!step.done) step = work.next();
          for (const gone of step.value!.gone) follower.delete(gone);
          for (const { id: its2, details } of step.value!.changed) follower.set(its2, details.text);
          before = now;
        }
        const rows = before.chunks.flatMap((chunk) => [...chunk.rows]);
        const shown = rows.map(({ id: its, details: { fields } }) =>
          [`${its}@${fields.origin}`, ...(fields.also_at ?? [])].join('+'),
        );
        expect(shown).to.deep.equal(expectedOf(origins));
        expect(Object.fromEntries(follower)).to.deep.equal(
          Object.fromEntries(rows.map((row) => [row.id, row.details.text])),
        );
      }),
      { numRuns: 500 },
    );
  });
});

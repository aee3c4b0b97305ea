/** What the worker counts for the filters, against a count that goes through the list for each value. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  facetNames,
  type FacetAsk,
  type FacetAsks,
  type FacetName,
  type FacetValue,
  type Totals,
} from '../../../src/page/connection/messages.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { FacetCounter } from '../../../src/page/worker/facets.ts';
import { parseFilters } from '../../../src/page/worker/filters.ts';
import { FollowedList, type ListEntry } from '../../../src/model/view/followed-list.ts';
import { runs } from '../../support/runs.ts';
import { aServer } from './support/page-servers.ts';

const META_KEYS = ['level', '__proto__'];
const NAMES = facetNames(META_KEYS);
const EVERYTHING = asksOf({ most: 1e6, sought: '' });

function asksOf(ask: FacetAsk): FacetAsks {
  return Object.fromEntries(NAMES.map((name) => [name, ask])) as FacetAsks;
}

function entriesOf(servers: readonly ListedServer[]): readonly ListEntry[] {
  const list = new FollowedList();
  list.apply({ servers, removed: [], full: true }, 0);
  return [...list.entries()];
}

function counterOf(asks: FacetAsks): FacetCounter {
  const counter = new FacetCounter();
  counter.ask(asks);
  return counter;
}

const onMaps = (...maps: readonly string[]): readonly ListEntry[] =>
  entriesOf(maps.map((map, index) => aServer(`${index}`, { map })));
const countOf = (entries: readonly ListEntry[], filters = ''): Parameters<FacetCounter['count']>[0] => ({
  entries,
  filters: parseFilters(filters, META_KEYS),
  isAmong: () => true,
});

interface Given {
  readonly filters?: string;
  readonly isHeld?: boolean;
  readonly name?: FacetName;
}

/** The values of a facet with their servers, and how many more there are. */
function valuesOf(
  counter: FacetCounter,
  entries: readonly ListEntry[],
  { filters = '', isHeld = false, name = 'map' }: Given = {},
): string {
  const { values, more } = counter.count(countOf(entries, filters), isHeld).facets[name]!;
  return [...values.map(({ value, servers }) => `${value} ${servers}`), `+${more}`].join(', ');
}

describe('the facets of the worker', () => {
  it('are those of a naive count, whatever the list and the filters', () => {
    const aText = fc.constantFrom('a', 'b', 'c', 'A', 'é', '*', ',', '<b>', 'toString', '__proto__');
    const aScalar = fc.oneof(aText, fc.integer({ min: 0, max: 2 }), fc.boolean(), fc.constant(null));
    const aMetaValue = fc.oneof(aScalar, fc.array(aScalar, { maxLength: 3 }), fc.record({ x: aText }));
    const aListed = fc.record(
      {
        players: fc.integer({ min: 0, max: 3 }),
        max_players: fc.integer({ min: 0, max: 3 }),
        region: aText,
        mode: aText,
        map: aText,
        version: aText,
        tags: fc.array(aText, { maxLength: 4 }),
        meta: fc.dictionary(fc.constantFrom(...META_KEYS, 'other'), aMetaValue, { noNullPrototype: true }),
      },
      { requiredKeys: ['players', 'max_players'] },
    );
    const aFilter = fc
      .tuple(
        fc.constantFrom(...NAMES, 'map!', 'tags!', 'meta.level!', 'players', 'q'),
        fc.array(fc.oneof(aText, fc.constantFrom('0', 'true', 'null')).map(encodeURIComponent), {
          minLength: 1,
          maxLength: 3,
        }),
      )
      .map(([name, values]) => (name === 'players' ? 'players=1..' : `${name}=${values.join(',')}`));
    fc.assert(
      fc.property(
        fc.array(aListed, { maxLength: 12 }),
        fc.array(aFilter, { maxLength: 4 }),
        (all, filters) => {
          const entries = entriesOf(all.map((each, index) => aServer(`${index}`, each)));
          const { facets, totals } = counterOf(EVERYTHING).count(countOf(entries, filters.join('&')), false);
          const matching = entries.filter(parseFilters(filters.join('&'), META_KEYS).matches);
          expect(totals).to.deep.equal(naiveTotals(matching.map(({ server }) => server)));
          for (const name of NAMES) {
            const others = parseFilters(
              filters.filter((text) => !text.startsWith(`${name}=`)).join('&'),
              META_KEYS,
            );
            const expected = naive(entries.filter(others.matches), name);
            const found = facets[name]!.values.filter(({ servers }) => servers > 0);
            expect(found).to.have.deep.members(expected);
            expect(facets[name]!.more).to.equal(0);
          }
        },
      ),
      { numRuns: runs(75) },
    );
  });

  it('name the commonest values first, as many as are asked for, and say how many more there are', () => {
    const entries = onMaps('c', 'b', 'b', 'a', 'c', 'b', 'd');
    expect(valuesOf(counterOf(asksOf({ most: 2, sought: '' })), entries)).to.equal('b 3, c 2, +2');
    expect(valuesOf(counterOf(EVERYTHING), entries)).to.equal('b 3, c 2, a 1, d 1, +0');
  });

  it('find values in whatever case, and name those of a filter anyway', () => {
    const counter = counterOf(asksOf({ most: 1, sought: 'DE_' }));
    const entries = onMaps('de_a', 'De_b', 'De_b', 'cs_a', 'cs_a', 'cs_a');
    expect(valuesOf(counter, entries)).to.equal('De_b 2, +1');
    expect(valuesOf(counter, entries, { filters: 'map=cs_a,gone' })).to.equal('De_b 2, cs_a 3, gone 0, +1');
  });

  it('keep their order while it is held, also of values that no server has any more', () => {
    const counter = counterOf(asksOf({ most: 2, sought: '' }));
    expect(valuesOf(counter, onMaps('a', 'a', 'b'))).to.equal('a 2, b 1, +0');
    const changed = onMaps('c', 'c', 'c', 'b', 'b');
    expect(valuesOf(counter, changed, { isHeld: true })).to.equal('a 0, b 2, +1');
    counter.ask(asksOf({ most: 2, sought: 'C' }));
    expect(valuesOf(counter, changed, { isHeld: true })).to.equal('c 3, +0');
    counter.ask(asksOf({ most: 2, sought: '' }));
    expect(valuesOf(counter, changed, { isHeld: true })).to.equal('c 3, b 2, +0');
  });

  it('count the origins of a mirror', () => {
    const entries = entriesOf(['eu', 'us', 'eu'].map((origin, at) => aServer(`${at}`, { origin })));
    expect(valuesOf(counterOf(EVERYTHING), entries, { name: 'origin' })).to.equal('eu 2, us 1, +0');
  });

  it('count a tag once that a server says twice', () => {
    const entries = entriesOf([aServer('1', { tags: ['x', 'y', 'x'] }), aServer('2', { tags: ['x'] })]);
    expect(valuesOf(counterOf(EVERYTHING), entries, { name: 'tags' })).to.equal('x 2, y 1, +0');
  });

  it('count what servers say under a key of meta, value by value', () => {
    const levels = [5, '5', true, false, null, '', ['a', 'b', 'a', 5], { x: 'a' }, [['a']]];
    const entries = entriesOf(levels.map((level, index) => aServer(`${index}`, { meta: { level } })));
    expect(valuesOf(counterOf(EVERYTHING), [...entries, ...onMaps('x')], { name: 'meta.level' })).to.equal(
      '5 3, a 1, b 1, false 1, null 1, true 1, +0',
    );
  });

  it('are counted of a list of nothing but different tags', () => {
    const servers = Array.from({ length: 1000 }, (_, n) =>
      aServer(`${n}`, { tags: Array.from({ length: 16 }, (__, m) => `${n} ${m}`), players: n }),
    );
    const { facets } = counterOf(asksOf({ most: 8, sought: '' })).count(countOf(entriesOf(servers)), false);
    const { tags } = facets;
    expect(tags.values.map(({ players }) => players)).to.deep.equal(Array.from({ length: 8 }, () => 999));
    expect(tags.more).to.equal(16_000 - 8);
  });
});

function ofMeta([key, value]: readonly [string, unknown]): [string, unknown] {
  return [`meta.${key}`, value];
}

function naiveTotals(servers: readonly ListedServer[]): Totals {
  const sum = (numberOf: (server: ListedServer) => number): number =>
    servers.reduce((before, server) => before + numberOf(server), 0);
  return {
    servers: servers.length,
    players: sum(({ players }) => players),
    places: sum((server) => server.max_players),
    empty: sum(({ players }) => Number(players === 0)),
    full: sum((server) => Number(server.players >= server.max_players)),
  };
}

function naive(entries: readonly ListEntry[], name: FacetName): readonly FacetValue[] {
  const saidBy = ({ server }: ListEntry): readonly string[] => {
    const said = [...Object.entries(server), ...Object.entries(server.meta ?? {}).map(ofMeta)];
    return said
      .flatMap(([field, value]) => (field === name ? [value].flat() : []))
      .flatMap((each) => (typeof each === 'object' && each !== null ? [] : [String(each)]));
  };
  return [...new Set(entries.flatMap(saidBy))].map((value) => {
    const having = entries.filter((entry) => saidBy(entry).includes(value));
    const players = having.reduce((sum, { server }) => sum + server.players, 0);
    return { value, servers: having.length, players };
  });
}

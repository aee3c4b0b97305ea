/** The lines of `gsls watch`, for people and for programs. */

import { expect } from 'chai';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { ListedServer, ToldChanges } from '../../../src/model/view/listed-server.ts';
import {
  contactChange,
  jsonLineOf,
  lineOf,
  ShownChanges,
  type ShownChange,
} from '../../../src/tools/terminal/change-lines.ts';
import { aServer, HOSTILE_NAMES } from './a-server.ts';

const NOW = Date.parse('2026-11-22T00:00:00Z');
const TIME = '2026-11-22T00:00:00Z';
const HARMFUL = /(?!\n$)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
const [A, B, C] = ['Áuckland', 'Berlin', 'Chicago'].map((name, id) => aServer({ id: String(id), name }));
const FULL = { servers: [A!, B!, C!], removed: [], full: true };

/** The lines for both readers, without their times, of the last of these. */
function linesOf(...all: readonly Partial<ToldChanges>[]): { people: string[]; programs: unknown[] } {
  const list = new ShownChanges();
  let changes: readonly ShownChange[] = [];
  for (const each of all) changes = list.take({ servers: [], removed: [], full: false, ...each });
  const lines = changes.map((change) => lineOf(change, NOW)).filter((line) => line !== '');
  for (const line of lines) expect(line).to.match(/^2026-11-22T00:00:00Z .*\n$/);
  return {
    people: lines.map((line) => line.slice(TIME.length + 1, -1)),
    programs: changes.map((change) => {
      const { time, ...rest } = JSON.parse(jsonLineOf(change, NOW)) as Record<string, unknown>;
      expect(time).to.equal(TIME);
      return rest;
    }),
  };
}

describe('the lines of a watched list', () => {
  it('are one for the first list', () => {
    expect(linesOf(FULL)).to.deep.equal({
      people: ['= 3 servers, 9 players'],
      programs: [{ change: 'list', servers: FULL.servers }],
    });
  });

  const D = aServer({ id: 'd', name: 'D\n', map: 'x', ip: '2001:db8::7' });
  const moved: ListedServer = { ...B!, name: 'B', players: 10, map: 'new' };
  const tagged: ListedServer = { ...B!, tags: ['x'] };
  const CASES: readonly (readonly [string, Partial<ToldChanges>, string[], unknown[]])[] = [
    [
      'a server that came',
      { servers: [D] },
      [String.raw`+ D\u{a}  3/16  x  [2001:db8::7]:7777`],
      [{ change: 'came', server: D }],
    ],
    [
      'one that changed',
      { servers: [moved] },
      ['~ name Berlin → B, players 3 → 10, map none → new Berlin'],
      [{ change: 'changed', server: moved, before: B }],
    ],
    [
      'one whose tags changed, for programs alone',
      { servers: [tagged] },
      [],
      [{ change: 'changed', server: tagged, before: B }],
    ],
    ['none that is told again as it was', { servers: [{ ...C! }] }, [], []],
    [
      'one that left, and none that was not there',
      { removed: ['0', 'unknown'] },
      ['- Áuckland  3/16  203.0.113.7:7777'],
      [{ change: 'left', server: A }],
    ],
    [
      'all that are not in a whole list',
      { servers: [B!], full: true },
      ['- Áuckland  3/16  203.0.113.7:7777', '- Chicago  3/16  203.0.113.7:7777'],
      [A, C].map((server) => ({ change: 'left', server })),
    ],
  ];
  for (const [what, changes, people, programs] of CASES)
    it(`are then one for ${what}`, () => {
      expect(linesOf(FULL, changes)).to.deep.equal({ people, programs });
    });

  it('say once that a server left', () => {
    expect(linesOf(FULL, { removed: ['0'] }, { removed: ['0'] }).people).to.deep.equal([]);
  });

  it('say how the reader stands to the service, why, and when the next try is', () => {
    const away = { is: 'away', reason: 'unreachable', retryAt: NOW + 2500, asOf: undefined } as const;
    const cases: readonly (readonly [ContactState, RegExp])[] = [
      [{ is: 'live' }, /^live$/],
      [away, /^away: the connection was refused, next try in 3 s$/],
      [
        { ...away, reason: 'limited', asOf: NOW },
        /^away: it has too many requests, as of \d\d:\d\d:\d\d, next try in 3 s$/,
      ],
      [{ is: 'stale', asOf: NOW }, /^not current: as of \d\d:\d\d:\d\d$/],
    ];
    for (const [state, text] of cases) {
      const change = contactChange(state, NOW, 'the connection was refused');
      expect(change).to.include({ change: 'contact', state: state.is });
      expect(change).to.have.property('text').that.matches(text);
      expect(lineOf(change, NOW)).to.equal(`${TIME} ! ${(change as { text: string }).text}\n`);
      expect(JSON.parse(jsonLineOf(change, NOW))).to.deep.equal({ time: TIME, ...change });
    }
  });

  it('let nothing of a hostile name reach a terminal', () => {
    for (const name of HOSTILE_NAMES) {
      const came: ShownChange = { change: 'came', server: aServer({ name }) };
      expect(lineOf(came, NOW)).to.not.match(HARMFUL);
      expect(jsonLineOf(came, NOW)).to.not.match(HARMFUL);
      expect(JSON.parse(jsonLineOf(came, NOW))).to.deep.include({ server: aServer({ name }) });
    }
    const away: ContactState = { is: 'away', asOf: undefined, retryAt: NOW, reason: 'unreachable' };
    expect(lineOf(contactChange(away, NOW, '\u001b[2J'), NOW)).to.not.match(HARMFUL);
  });
});

/** What a person sees of a watched list, and what keys do; on screens of any size. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListedServer } from '../../src/client/listed-server.ts';
import { ChangeLines } from '../../src/terminal/change-lines.ts';
import { TABLE_COLUMNS } from '../../src/terminal/columns.ts';
import { keysOf } from '../../src/terminal/keys.ts';
import type { Screen } from '../../src/terminal/screen.ts';
import { stateWords } from '../../src/terminal/state-words.ts';
import { WatchView, type Wish } from '../../src/terminal/watch-view.ts';
import { loadWidths } from '../../src/terminal/widths.ts';
import { aServer, HOSTILE_NAMES } from './a-server.ts';

const NOW = Date.UTC(2026, 10, 22);
const SERVERS: readonly ListedServer[] = [
  aServer({ id: 'a', name: 'Áuckland', players: 1, map: 'de_dust2', meta: { language: 'en' } }),
  aServer({ id: 'b', name: 'Berlin', players: 9, mode: 'ctf' }),
  aServer({ id: 'c', name: 'Cairo', players: 5, tags: ['friendly'] }),
];

function linesOf(screen: Screen): readonly string[] {
  return Array.from({ length: screen.rows }, (_, row) =>
    Array.from({ length: screen.columns }, (__, column) => screen.cellAt(row, column)?.text ?? '')
      .join('')
      .trimEnd(),
  );
}

/** A view of these servers; what it shows some time later, and what its keys ask for. */
function viewOf(servers = SERVERS): {
  readonly view: WatchView;
  readonly lines: (columns?: number, rows?: number, now?: number) => readonly string[];
  readonly press: (text: string) => readonly (Wish | undefined)[];
} {
  const view = new WatchView('http://localhost', '-players');
  view.take({ servers, removed: [], full: true }, NOW);
  view.setState({ is: 'live' }, undefined);
  const look = { columns: TABLE_COLUMNS, isColorful: true };
  return {
    view,
    lines: (columns = 90, rows = 10, now = NOW) =>
      linesOf(view.draw({ ...look, size: { columns, rows } }, now).screen),
    press: (text) => keysOf(text).map((key) => view.press(key)),
  };
}

const namesIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => /^[ +~-] (\S+) .*\d\/16/.exec(line)?.[1] ?? []);

describe('a watched list', () => {
  before(loadWidths);

  it('shows what it follows, whether it is current, what it comes to, and its rows in order', () => {
    const lines = viewOf().lines();
    expect(lines[0]).to.match(/^http:\/\/localhost +live$/);
    expect(lines[1]).to.equal('3 servers, 15 players  sort: -players');
    expect(lines[2]).to.match(/^ {2}NAME +PLAYERS {2}MAP/);
    expect(namesIn(lines)).to.deep.equal(['Berlin', 'Cairo', 'Áuckland']);
    expect(lines.at(-1)).to.include('q quits');
  });

  it('marks what came and what changed for a moment, and puts it in order a little later', () => {
    const { view, lines } = viewOf();
    lines();
    const came = aServer({ id: 'd', name: 'Dakar', players: 7 });
    view.take({ servers: [{ ...SERVERS[0]!, players: 12 }, came], removed: ['c'], full: false }, NOW + 100);
    expect(namesIn(lines(90, 10, NOW + 200))).to.deep.equal(['Berlin', 'Cairo', 'Áuckland']);
    const later = lines(90, 10, NOW + 1000);
    expect(later.slice(3, 6).map((line) => line.slice(0, 8))).to.deep.equal([
      '~ Áuckla',
      '  Berlin',
      '+ Dakar ',
    ]);
    expect(
      lines(90, 10, NOW + 5000)
        .slice(3, 6)
        .map((line) => line.slice(0, 2)),
    ).to.deep.equal(['  ', '  ', '  ']);
  });

  it('filters while a person types, by parts of words, without case and accents', () => {
    const { lines, press } = viewOf();
    press('/AUCK');
    expect(namesIn(lines())).to.deep.equal(['Áuckland']);
    expect(lines().at(-1)).to.match(/^\/AUCK_/);
    press('\u007f'.repeat(4));
    press('ctf');
    expect(lines()[1]).to.equal('1 of 3 servers, 9 players  sort: -players  filter: ctf');
    press('\r');
    expect(lines().at(-1)).to.include('q quits');
    press('\u001b');
    expect(namesIn(lines())).to.have.length(3);
    press('/q\u001b');
    expect(press('q')).to.deep.equal(['quit']);
  });

  it('sorts by something else, and the other way round', () => {
    const { lines, press } = viewOf();
    press('s');
    expect(namesIn(lines())).to.deep.equal(['Berlin', 'Cairo', 'Áuckland']);
    press('r');
    expect(namesIn(lines())).to.deep.equal(['Áuckland', 'Cairo', 'Berlin']);
    expect(lines()[1]).to.include('sort: -name');
  });

  it('keeps the chosen server chosen wherever it moves, and opens it', () => {
    const { view, lines, press } = viewOf();
    lines();
    press('\u001b[B');
    view.take({ servers: [{ ...SERVERS[2]!, players: 0 }], removed: [], full: false }, NOW);
    lines(90, 10, NOW + 2000);
    expect(press('\r')).to.deep.equal([{ open: 'c' }]);
    view.setDetails(aServer({ id: 'c', name: 'Cairo', meta: { language: 'ar', mods: ['x'] } }));
    expect(lines()[0]).to.equal('Cairo');
    expect(lines(90, 30).join('\n'))
      .to.match(/^meta\.language +ar$/m)
      .and.match(/^meta\.mods +x$/m);
    view.take({ servers: [], removed: ['c'], full: false }, NOW + 3000);
    expect(lines()[0]).to.equal('(not listed any more) Cairo');
    expect(press('\u001b')).to.deep.equal([undefined]);
    expect(namesIn(lines(90, 10, NOW + 5000))).to.deep.equal(['Berlin', 'Áuckland']);
  });

  it('moves by keys of all kinds, and scrolls', () => {
    const many = Array.from({ length: 50 }, (_, n) =>
      aServer({ id: String(n), name: `S${n}`, players: 50 - n }),
    );
    const { lines, press } = viewOf(many);
    const opened = (keys: string): unknown => {
      lines();
      const [wish] = press(keys).slice(-1);
      press('\u001b');
      return wish;
    };
    expect(opened('\u001b[6~\r')).to.deep.equal({ open: '6' });
    expect(opened('jjk\r')).to.deep.equal({ open: '7' });
    expect(opened('\u001b[F\r')).to.deep.equal({ open: '49' });
    expect(namesIn(lines()).at(-1)).to.equal('S49');
    expect(opened('\u001b[5~\r')).to.deep.equal({ open: '43' });
    expect(opened('\u001b[H\r')).to.deep.equal({ open: '0' });
    expect(press('\u0003\u001a\u000c')).to.deep.equal(['quit', 'suspend', 'redraw']);
  });

  it('never throws, whatever the names, the keys and the size are', () => {
    const servers = HOSTILE_NAMES.map((name, id) =>
      aServer({ id: String(id), name, map: name, meta: { [name]: name } }),
    );
    const key = fc.constantFrom(
      'j',
      'k',
      's',
      'r',
      '/',
      'x',
      '\r',
      '\u001b',
      '\u001b[A',
      '\u001b[6~',
      '\u001b[H',
      '\u007f',
      '夜',
    );
    const size = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 8 }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 15 }), size, (keys, [columns, rows]) => {
        const { lines, press } = viewOf(servers);
        for (const each of keys) {
          press(each);
          expect(lines(columns, rows)).to.have.length(rows);
        }
        expect(lines(1, 1)).to.have.length(1);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the state of a watched list', () => {
  it('is in words, with the reason and the next try', () => {
    const away = { is: 'away', reason: 'unreachable', retryAt: NOW + 2500, asOf: undefined } as const;
    expect(stateWords({ is: 'live' }, NOW, undefined)).to.equal('live');
    expect(stateWords(away, NOW, 'the connection was refused')).to.equal(
      'away: the connection was refused, next try in 3 s',
    );
    expect(stateWords({ ...away, reason: 'limited', asOf: NOW }, NOW, 'x')).to.match(
      /^away: it has too many requests, as of \d\d:\d\d:\d\d, next try in 3 s$/,
    );
    expect(stateWords({ is: 'stale', asOf: NOW }, NOW, undefined)).to.match(
      /^not current: as of \d\d:\d\d:\d\d$/,
    );
  });
});

describe('the lines of a watched list', () => {
  it('are one for the first list, and then one for each change', () => {
    const lines = new ChangeLines();
    const take = (
      servers: readonly ListedServer[],
      removed: readonly string[] = [],
      full = false,
    ): readonly string[] =>
      lines.take({ servers, removed, full }, NOW).map((line) => line.replace('2026-11-22T00:00:00Z ', ''));
    expect(lines.take({ servers: SERVERS, removed: [], full: true }, NOW)).to.deep.equal([
      '2026-11-22T00:00:00Z = 3 servers, 15 players',
    ]);
    expect(take([aServer({ id: 'd', name: 'D\n', map: 'x' })])).to.deep.equal([
      '+ D\\u{a}  3/16  x  203.0.113.7:7777',
    ]);
    expect(take([{ ...SERVERS[1]!, players: 10, map: 'new' }])).to.deep.equal([
      '~ players 9 → 10, map none → new Berlin',
    ]);
    expect(take([SERVERS[2]!], ['a', 'unknown'])).to.deep.equal([
      '- Áuckland  1/16  de_dust2  203.0.113.7:7777',
    ]);
    expect(take([], [], true).map((line) => line.slice(0, 3))).to.deep.equal(['- B', '- C', '- D']);
  });
});

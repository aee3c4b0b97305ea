/** A list as a table, as lines and as CSV. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  LINE_COLUMNS,
  needMeta,
  parseColumns,
  TABLE_COLUMNS,
  csvLines,
  type TerminalColumn,
} from '../../../src/tools/terminal/columns.ts';
import { countsLine, plainLines, tableLines, widthsWithin } from '../../../src/tools/terminal/table.ts';
import { loadWidths, widthOf } from '../../../src/tools/terminal/widths.ts';
import { aServer, HOSTILE_NAMES } from './a-server.ts';

const columnsOf = (text: string): readonly TerminalColumn[] =>
  parseColumns(text) as readonly TerminalColumn[];
const tableOf = (servers = [aServer()], width = 80, columns = TABLE_COLUMNS): Promise<string[]> =>
  tableLines({ columns, servers, width, isColorful: false });

describe('the table of a list', () => {
  before(loadWidths);

  it('has a column for each field, as wide as what is in it', async () => {
    const servers = [
      aServer({ name: 'Frankfurt 1', map: 'de_dust2', region: 'eu' }),
      aServer({ name: '夜猫', players: 12, ip: '2001:db8::7' }),
    ];
    expect(await tableOf(servers)).to.deep.equal([
      'NAME         PLAYERS  MAP       MODE  REGION  ADDRESS',
      'Frankfurt 1     3/16  de_dust2        eu      203.0.113.7:7777',
      '夜猫           12/16                          [2001:db8::7]:7777',
    ]);
  });

  it('keeps its columns in line whatever the names are, and is no wider than the terminal', async () => {
    const servers = HOSTILE_NAMES.map((name) => aServer({ name, map: name, tags: [name] }));
    for (const width of [1, 2, 5, 20, 40, 80, 200])
      for (const columns of [TABLE_COLUMNS, columnsOf('name,tags,port'), columnsOf('port,name')])
        for (const line of await tableOf(servers, width, columns)) {
          expect(widthOf(line), line).to.be.at.most(width);
          expect(line).to.not.match(/[\p{Cc}\p{Cs}]/u);
        }
    const lines = await tableOf(servers, 60, columnsOf('name,port'));
    const places = lines.map((line) => widthOf(line.replace(/(PORT|7777)$/, '')));
    expect(new Set(places)).to.deep.equal(new Set([places[0]]));
  });

  it('isolates names from right to left', async () => {
    const [, line] = await tableOf([aServer({ name: 'صقر 1' })]);
    expect(line).to.match(/^\u2068صقر 1\u2069 +3\/16/);
  });

  it('lets the widest texts give way, and leaves out the last columns where nothing else helps', () => {
    const columns = columnsOf('name,players,map');
    expect(widthsWithin(columns, [40, 7, 12], 63)).to.deep.equal([40, 7, 12]);
    expect(widthsWithin(columns, [40, 7, 12], 50)).to.deep.equal([27, 7, 12]);
    expect(widthsWithin(columns, [40, 7, 12], 30)).to.deep.equal([9, 7, 10]);
    expect(widthsWithin(columns, [40, 7, 12], 20)).to.deep.equal([11, 7, 0]);
    expect(widthsWithin(columns, [40, 7, 12], 3)).to.deep.equal([3, 0, 0]);
    fc.assert(
      fc.property(
        fc.array(fc.nat(200), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 1, max: 300 }),
        (wanted, room) => {
          const widths = widthsWithin(columns, wanted, room).filter((width) => width > 0);
          const gaps = 2 * Math.max(0, widths.length - 1);
          expect(widths.reduce((sum, width) => sum + width, gaps)).to.be.at.most(Math.max(room, gaps));
        },
      ),
    );
  });

  it('counts what is shown, and what there is', () => {
    expect(countsLine([aServer(), aServer()], 2)).to.equal('2 servers, 6 players');
    expect(countsLine([aServer({ players: 1 })], 10)).to.equal('1 of 10 servers, 1 player');
    expect(countsLine([], 0)).to.equal('0 servers, 0 players');
  });
});

describe('the lines of a list', () => {
  it('have the whole texts, separated by tabs', () => {
    const long = 'x'.repeat(300);
    expect(plainLines(LINE_COLUMNS, [aServer({ name: long, map: 'a\tb' })])).to.deep.equal([
      `${long}\t3\t16\ta\\u{9}b\t\t\t203.0.113.7:7777`,
    ]);
    for (const line of plainLines(
      columnsOf('name,id'),
      HOSTILE_NAMES.map((name) => aServer({ name })),
    ))
      expect(line)
        .to.match(/^[^\t\n\r]*\tid$/)
        .and.not.match(/[\u2066-\u2069]/);
  });
});

describe('the CSV of a list', () => {
  it('has a head, quotes where it needs them, and numbers and truths as they are', () => {
    const servers = [aServer({ name: 'a "b", c', password: false, tags: ['x', 'y'] }), aServer({ id: '2' })];
    expect(csvLines(columnsOf('id,name,players,password,tags'), servers)).to.deep.equal([
      'id,name,players,password,tags',
      'id,"a ""b"", c",3,false,"x, y"',
      '2,A server,3,,',
    ]);
  });

  it('makes no formula of a name', () => {
    for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])
      expect(csvLines(columnsOf('name'), [aServer({ name })])[1]).to.match(/^"?'/);
  });

  it('has a line for each server, however hostile', () => {
    const lines = csvLines(
      columnsOf('name,id'),
      HOSTILE_NAMES.map((name) => aServer({ name })),
    );
    expect(lines).to.have.length(HOSTILE_NAMES.length + 1);
    for (const line of lines) expect(line).to.not.match(/[\p{Cc}]/u);
  });
});

describe('the columns of a list', () => {
  it('are those that are named, once each', () => {
    expect(columnsOf('name, id,name').map(({ name }) => name)).to.deep.equal(['name', 'id']);
    expect(parseColumns('nmae')).to.equal('has no column "nmae"; did you mean name?');
    expect(parseColumns('name,')).to.equal('has a column without a name');
    expect(parseColumns('zzz')).to.match(
      /^has no column "zzz": there are name, players, .* and meta\.<key>$/,
    );
  });

  it('may be of meta, which the service is asked for', () => {
    const columns = columnsOf('meta.language,meta.mods,meta.none');
    expect([needMeta(columns), needMeta(TABLE_COLUMNS)]).to.deep.equal([true, false]);
    const server = aServer({ meta: { language: 'de', mods: ['a', 1] } });
    expect(plainLines(columns, [server])).to.deep.equal(['de\t["a",1]\t']);
  });
});

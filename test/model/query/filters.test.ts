import { expect } from 'chai';
import type { ServiceError } from '../../../src/model/service-error.ts';
import {
  parseParameters,
  parseQuery,
  Wrong,
  type Reader,
  type SingleParameter,
} from '../../../src/model/query/parse-query.ts';
import type { DetailFields } from '../../../src/model/fields/detail-fields.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { anEntry } from '../../support/builders.ts';

const saying = (fields: DetailFields, rest: Partial<ListedGameServer> = {}): ListedGameServer =>
  anEntry({ ...rest, details: Details.of(fields) });

const matches = (query: string, row: ListedGameServer): boolean => parseQuery(query).filters.matches(row);

/** The wrong parameters of a query, with what is said of them. */
function problemsOf(parse: () => unknown): readonly string[] {
  try {
    parse();
  } catch (error) {
    const { code, message, details } = error as ServiceError;
    expect(code).to.equal('invalid_query');
    const problems = details!.map((each) => `${each.field} ${each.message}`);
    expect(message).to.equal(problems.join('; '));
    return problems;
  }
  return [];
}

const wrongIn = (query: string): readonly string[] => problemsOf(() => parseQuery(query));

function expectMatches(row: ListedGameServer, yes: readonly string[], no: readonly string[]): void {
  for (const query of yes) expect(matches(query, row), query).to.equal(true);
  for (const query of no) expect(matches(query, row), query).to.equal(false);
}

/** Expects that all these queries have the same canonical text, which is a query of that text itself. */
function same(...queries: readonly string[]): void {
  const texts = new Set(queries.map((query) => parseQuery(query).filters.text));
  expect([...texts], queries.join(' ')).to.have.length(1);
  const [text] = texts;
  expect(parseQuery(text!).filters.text).to.equal(text);
}

const repeat = (count: number, text: string): string => Array.from({ length: count }, () => text).join('&');

const values = (count: number): string => Array.from({ length: count }, (_, index) => index).join(',');

describe('the filters of a query', () => {
  it('compare a text exactly, by its beginning, or with one of several', () => {
    const row = saying({ map: 'de_dust2', mode: 'Team, Death*Match', version: '1.2', region: 'eu' });
    expectMatches(
      row,
      [
        'map=de_dust2',
        'map=de_*',
        'map=*',
        'map=a,de_dust2',
        'map=a,de*',
        'version=1.*',
        'region=eu&map=de*',
      ],
      ['map=DE_DUST2', 'map=dust2', 'map=e_*', 'map=a,b', 'region=eu&map=a', 'version=1'],
    );
    expectMatches(
      row,
      ['mode=Team%2C+Death%2AMatch', 'mode=Team%2C%20Death%2A*', 'm%6fde=Team*'],
      ['mode=Team,+Death%2AMatch', 'mode=Team%2C+Death%2A'],
    );
  });

  it('compare a country in capital or small letters', () => {
    const row = saying({ country: 'DE' });
    expectMatches(
      row,
      ['country=DE', 'country=de', 'country=fr,dE', 'country=d*', 'country!=fr'],
      ['country=fr', 'country!=de'],
    );
    expect(parseQuery('country=de').filters.text).to.equal('country=DE');
  });

  it('compare the fields that every server has', () => {
    const row = anEntry({ id: 'abc', ip: '2001:db8::1', host: 'a.example', name: 'Grüße' });
    expectMatches(
      row,
      ['id=abc', 'ip=2001:DB8:0::1', 'ip=2001:db8:*', 'host=*', 'name=Gr%C3%BC%C3%9Fe'],
      ['id=ab', 'ip=2001:db8::2', 'host=b.*', 'name=gr%C3%BC%C3%9Fe'],
    );
  });

  it('with != match what is none of the values, also what says nothing', () => {
    const said = saying({ map: 'a', tags: ['x', 'y'], meta: { mod: 'z' } });
    expectMatches(
      said,
      ['map!=b', 'map!=b,c', 'tags!=z', 'meta.mod!=a', 'players!=4..', 'map%21=b', 'mode!=*'],
      ['map!=a', 'map!=b,a', 'map!=a*', 'tags!=x', 'meta.mod!=z', 'players!=3', 'map!=*'],
    );
    expectMatches(anEntry(), ['map!=a', 'tags!=x', 'meta.mod!=z', 'password!=true'], []);
  });

  it('widen with a comma and narrow with a repetition', () => {
    const row = saying({ tags: ['a', 'b'], map: 'de_x' }, { players: 5 });
    expectMatches(
      row,
      [
        'tags=a',
        'tags=a,c',
        'tags=a&tags=b',
        'tags=a,c&tags=b,d',
        'map=de*&map=*',
        'players=1,5',
        'players=3..&players=..7',
      ],
      ['tags=c', 'tags=a&tags=c', 'map=de*&map=cs*', 'players=3..&players=..4'],
    );
  });

  it('compare numbers with ranges', () => {
    const row = anEntry({ players: 5, maxPlayers: 16 });
    expectMatches(
      row,
      [
        'players=5',
        'players=5..',
        'players=..5',
        'players=4..6',
        'players=005',
        'players=1,4..6',
        'free=11',
        'max_players=16..16',
      ],
      ['players=4', 'players=6..', 'players=..4', 'players=6..9', 'free=12..', 'max_players=17'],
    );
    expectMatches(
      anEntry({ players: 20, maxPlayers: 16 }),
      ['free=0', 'full=true'],
      ['free=1..', 'full=false'],
    );
  });

  it('compare what is either true or false', () => {
    expectMatches(
      saying({ password: true }, { players: 0 }),
      ['password=true', 'empty=true', 'full=false', 'full=true,false'],
      ['password=false', 'empty=false', 'full=true'],
    );
    expectMatches(
      anEntry({ players: 16 }),
      ['full=true', 'empty=false'],
      ['password=true', 'password=false'],
    );
  });

  it('compare what a key of meta has, alone or in an array', () => {
    const meta = {
      mod: 'a b',
      mods: ['x', 2, true, null, { y: 1 }],
      level: 1.5,
      ranked: false,
      deep: { a: 1 },
      'a,b&c=d': 'e',
    };
    expectMatches(
      saying({ meta }),
      [
        'meta.mod=a+b',
        'meta.mods=x',
        'meta.mods=2',
        'meta.mods=true',
        'meta.mods=null',
        'meta.level=1.5',
        'meta.ranked=false',
        'meta.mods=q,x',
        'meta.mods=x&meta.mods=2',
        'meta.level=1*',
        'meta.a%2Cb%26c%3Dd=e',
      ],
      [
        'meta.mod=a',
        'meta.mods=y',
        'meta.deep=*',
        'meta.level=1',
        'meta.toString=*',
        'meta.__proto__=*',
        'meta.constructor=*',
        'meta.other=*',
        'meta.ranked=true',
      ],
    );
    expectMatches(anEntry(), [], ['meta.mod=*']);
  });

  it('search all words in the texts of a server, its region, version, host and address, without case and accents', () => {
    const row = saying(
      {
        map: 'de_dust2',
        mode: 'Öl',
        tags: ['Straße', 'ÅNGSTRÖM'],
        version: 'v9',
        region: 'eu',
        meta: { a: 'hidden' },
      },
      { name: 'Café Ｗｏｒｌｄ', host: 'Game.example.com', ip: '2001:db8::7', port: 7777 },
    );
    expectMatches(
      row,
      [
        'q=cafe',
        'q=CAF%C3%89+dust',
        'q=world',
        'q=ol',
        'q=strasse+angstrom',
        'q=%20dust%20%20caf%20',
        'q=cafe&q=dust',
        'q=cafe%CC%81',
        'q=v9+eu',
        'q=game.EXAMPLE.com:7777',
        'q=[2001:db8::7]:7777',
      ],
      ['q=cafes', 'q=cafe+aztec', 'q=v8', 'q=com:778', 'q=hidden', 'q=worldde_dust2', 'q=cafe&q=aztec'],
    );
  });

  it('have one text for all that mean the same', () => {
    same('map=a,b&mode=c', 'mode=c&map=b,a', 'mode=c&&m%61p=b,%61,b&map=a,b');
    same('players=5', 'players=5..5', 'players=05');
    same('players=..4', 'players=0..4');
    same('q=Caf%C3%A9+bar', 'q=bar&q=cafe', 'q=bar+caf+CAFE');
    same('ip=2001:db8::1', 'ip=2001:0DB8:0::1');
    same('name=a+b', 'name=a%20b');
    same('meta.a%2Cb=1', 'meta.a,b=1');
    same('', '&', '&&');
    for (const [a, b] of [
      ['map=a,b', 'map=a%2Cb'],
      ['map=a*', 'map=a%2A'],
      ['map=a', 'map!=a'],
      ['map=a&map=b', 'map=a,b'],
      ['name=a%26map%3Db', 'name=a&map=b'],
    ])
      expect(parseQuery(a!).filters.text).to.not.equal(parseQuery(b!).filters.text);
  });

  it('are empty only if every server matches', () => {
    expect(parseQuery('').filters).to.include({ text: '', isEmpty: true });
    expect(parseQuery('').filters.matches(anEntry())).to.equal(true);
    expect(parseQuery('map=*').filters.isEmpty).to.equal(false);
  });
});

describe('a wrong query', () => {
  it('names every wrong parameter, and the nearest one that there is', () => {
    expect(wrongIn('maps=a&players=x&map=b&mox_players=1&full=maybe')).to.deep.equal([
      'maps is not a parameter here; did you mean map?',
      'players must be a number or a range like 5, 1.., ..10 or 4..16',
      'mox_players is not a parameter here; did you mean max_players?',
      'full must be true or false',
    ]);
  });

  it('has an unknown parameter, whatever its name', () => {
    for (const query of [
      'x=1',
      'x',
      '=1',
      'meta.=1',
      'meta=1',
      'map!!=a',
      'toString=1',
      '__proto__=1',
      'q!=a',
      'map[]=a',
      'Map=a',
    ])
      expect(wrongIn(query), query).to.have.length(1);
  });

  it('has a range that is none', () => {
    for (const value of [
      '',
      '..',
      '5..4',
      '-1',
      '1.5',
      '1e3',
      '1...2',
      'a..b',
      '..-1',
      '1000000000000',
      '1,',
      'Infinity',
      '*',
    ])
      expect(wrongIn(`players=${value}`), value).to.have.length(1);
  });

  it('has an empty value, a star in the middle, or an escape that is none', () => {
    for (const query of [
      'map=',
      'map',
      'map=a,,b',
      'map=,',
      'map=*a',
      'map=a*b',
      'map=**',
      'map=%',
      'map=%FF',
      'map=a%2',
      '%=a',
      'q=',
      'q=+',
      'q=%80',
      'ip=host',
      'ip=1.2.3',
      'full=',
      'full=TRUE',
      'meta.a=',
    ])
      expect(wrongIn(query), query).to.have.length(1);
  });

  it('has more than 16 parameters, 32 alternatives, or 64 characters to search for', () => {
    expect(wrongIn(repeat(16, 'map=a'))).to.deep.equal([]);
    expect(wrongIn(repeat(500, 'map=a'))).to.deep.equal([
      'map is one too many: a query has at most 16 parameters',
    ]);
    expect(wrongIn(`map=${values(32)}`)).to.deep.equal([]);
    expect(wrongIn(`map=${values(33)}`)).to.deep.equal(['map has more than 32 alternatives']);
    expect(wrongIn(`q=${encodeURIComponent('\u{1f600}'.repeat(64))}`)).to.deep.equal([]);
    expect(wrongIn(`q=${'a'.repeat(65)}`)).to.deep.equal(['q must have at most 64 characters']);
  });

  it('repeats no more than the beginning of a long name', () => {
    const [problem] = wrongIn(`${'é'.repeat(3000)}=1`);
    expect(problem!.length).to.be.below(120);
  });
});

function aParameter<T>(read: Reader<T>): SingleParameter<T> {
  return { read, description: '', schema: {} };
}

describe('the further parameters of a query', () => {
  const table = {
    step: aParameter((value) => (value === 'hour' ? value : new Wrong('must be hour'))),
    from: aParameter(Number),
  };

  it('are read beside the filters, and change nothing about them', () => {
    const { filters, further } = parseQuery('from=5&map=a&step=h%6Fur', table);
    expect(further).to.deep.equal({ from: 5, step: 'hour' });
    expect(filters.text).to.equal('map=a');
    expect(parseQuery('', table).further).to.deep.equal({});
  });

  it('may be given once, and are named with all others that are wrong', () => {
    expect(problemsOf(() => parseQuery('from=5&from=6&step=day&stop=1', table))).to.deep.equal([
      'from is given more than once',
      'step must be hour',
      'stop is not a parameter here; did you mean step?',
    ]);
    expect(problemsOf(() => parseQuery('from=%', table))).to.deep.equal([
      'from has an escape that is not valid',
    ]);
  });

  it('are the only ones where there are no filters', () => {
    expect(parseParameters('from=5', table)).to.deep.equal({ from: 5 });
    expect(problemsOf(() => parseParameters('map=a&frm=1', table))).to.deep.equal([
      'map is not a parameter here',
      'frm is not a parameter here; did you mean from?',
    ]);
  });
});

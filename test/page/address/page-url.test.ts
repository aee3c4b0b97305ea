import { expect } from 'chai';
import * as fc from 'fast-check';
import { DEFAULT_LOOK } from '../../../src/page/address/embed-look.ts';
import {
  allFilters,
  filtersText,
  formatPageUrl,
  MOST_FILTERS,
  parsePageUrl,
  type PageState,
} from '../../../src/page/address/page-url.ts';
import { DEFAULT_SORT } from '../../../src/page/address/sort-order.ts';

const EMPTY: PageState = parsePageUrl('');

/** Texts that look like addresses, and any others. */
const SEARCHES = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom('&', '=', '%', '%2C', '%zz', '+', ',', '*', '#', '?', '\ud800', '%ff', "'", '<', 'é'),
        fc.constantFrom('map', 'map!', 'q', 'view', 'list', 'join', 'missing', 'sort', 'lang', 'de'),
        fc.constantFrom('embed', 'favourites'),
        fc.constantFrom(
          'embed&',
          'lock=1',
          '&lock=1&',
          'theme=dark',
          'columns=map,x',
          'search=0',
          'accent=%23abc',
        ),
        fc.string(),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);

const STATES: fc.Arbitrary<PageState> = fc
  .record({
    range: fc.constant(parsePageUrl('').range),
    view: fc.constantFrom('list' as const, 'overview' as const, 'server' as const),
    // A browser takes dots alone for another folder.
    serverId: fc.string({ minLength: 1 }).filter((id) => !/^\.{1,2}$/.test(id)),
    isOpen: fc.boolean(),
    joinCode: fc.option(fc.string(), { nil: undefined }),
    isMissingOpen: fc.boolean(),
    filters: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('q', 'map', 'map!', 'meta.a b&c', 'tags', 'tags%', 'é'),
        rawValue: fc.string({ minLength: 1 }).map(encodeURIComponent),
      }),
      { maxLength: MOST_FILTERS, selector: ({ name, rawValue }) => `${name}=${rawValue}` },
    ),
    lockedCount: fc.integer({ min: 0, max: 3 }),
    sort: fc.string({ minLength: 1 }),
    isFavouritesOnly: fc.boolean(),
    showsHidden: fc.boolean(),
    isEmbedded: fc.boolean(),
    language: fc.constantFrom(undefined, 'de', 'pt-BR'),
    look: fc.record({
      theme: fc.constantFrom(undefined, 'light' as const, 'dark' as const),
      accent: fc.constantFrom(undefined, '#1f5fbf', '#000000'),
      columns: fc.constantFrom(undefined, ['name'], ['map', 'nothing']),
      hasSearch: fc.boolean(),
    }),
  })
  .map(({ lockedCount, isOpen, serverId, ...state }) => ({
    ...state,
    serverId: state.view === 'server' || (state.view === 'list' && isOpen) ? serverId : undefined,
    isMissingOpen: state.isMissingOpen && !state.isEmbedded,
    look: state.isEmbedded ? state.look : DEFAULT_LOOK,
    locked: state.isEmbedded ? state.filters.slice(0, lockedCount) : [],
    filters: state.isEmbedded ? state.filters.slice(lockedCount) : state.filters,
  }));

const PAGE = 'https://example.com/browse';

/** What a browser makes of it: what is behind the address of the page, and the query. */
function partsOf(state: PageState): { readonly path: string; readonly search: string } {
  const { pathname, search } = new URL(PAGE + formatPageUrl(state));
  return { path: pathname.slice('/browse'.length), search };
}

/** The state as a browser has it after that. */
function readAgain(state: PageState): PageState {
  const { path, search } = partsOf(state);
  return parsePageUrl(search, path);
}

/** The names of all filters, and which of them stay. */
function namesIn(search: string): readonly string[] {
  const { locked, filters } = parsePageUrl(search);
  return [...locked.map(({ name }) => `${name} stays`), ...filters.map(({ name }) => name)];
}

describe('the address of the page', () => {
  it('holds a state whole', () => {
    fc.assert(
      fc.property(STATES, (state) => {
        const again = readAgain(state);
        const others = { filters: [], locked: [] };
        expect({ ...again, ...others }).to.deep.equal({ ...state, ...others });
        for (const filters of ['filters', 'locked'] as const)
          expect(filtersText(again[filters])).to.equal(filtersText(state[filters]));
      }),
    );
  });

  it('is read whatever it is, and canonical after that', () => {
    fc.assert(
      fc.property(SEARCHES, fc.constantFrom('', '/', '/a1', '/%ff', '/a b+%2F\ud800'), (search, path) => {
        const state = parsePageUrl(search, path);
        expect(readAgain(state)).to.deep.equal(state);
        const parts = partsOf(state);
        expect(parts.path + parts.search).to.equal(formatPageUrl(state));
      }),
      { numRuns: 1000 },
    );
  });

  it('is empty in the state that a visit begins with', () => {
    expect(formatPageUrl(EMPTY)).to.equal('');
  });

  it('names the server that is shown alone, or beside the list', () => {
    const alone = parsePageUrl('?map=a', '/b%2B+c');
    expect([alone.view, alone.serverId]).to.deep.equal(['server', 'b++c']);
    expect(formatPageUrl(alone)).to.equal('/b%2B%2Bc?map=a');
    const beside = parsePageUrl('?list', '/b');
    expect([beside.view, beside.serverId]).to.deep.equal(['list', 'b']);
    expect(formatPageUrl(beside)).to.equal('/b?list');
    expect(formatPageUrl({ ...beside, view: 'overview' })).to.equal('?view=overview');
    expect(parsePageUrl('?server=b').serverId).to.equal(undefined);
  });

  it('keeps a comma and a star that separate or end a value, and those that are text', () => {
    const { filters } = parsePageUrl('?map=de_*,a%2Cb,c%2A');
    expect(filters).to.deep.equal([{ name: 'map', rawValue: 'de_*,a%2Cb,c%2A' }]);
  });

  it('takes opposites and keys of meta for filters', () => {
    const { filters } = parsePageUrl('?map!=a&meta.level=5');
    expect(filters.map(({ name }) => name)).to.deep.equal(['map!', 'meta.level']);
  });

  it('leaves out empty filters, such as those of a form, and repeated ones', () => {
    expect(parsePageUrl('?q=&sort=&map=a&map=a').filters).to.deep.equal([{ name: 'map', rawValue: 'a' }]);
    expect(parsePageUrl('?q=&sort=').sort).to.equal(DEFAULT_SORT);
  });

  it('holds no parameter of a request that is no filter', () => {
    expect(parsePageUrl('?since=x&cursor=x&limit=1&include=meta').filters).to.deep.equal([]);
  });

  it('holds no more filters than a request may have', () => {
    const search = Array.from({ length: 1000 }, (_, index) => `tags=${index}`).join('&');
    expect(parsePageUrl(search).filters).to.have.length(MOST_FILTERS);
  });

  it('holds a join code, and that one is asked for', () => {
    expect(parsePageUrl('?join=7kq01-mzx4r').joinCode).to.equal('7kq01-mzx4r');
    expect([parsePageUrl('?join').joinCode, parsePageUrl('?join=').joinCode]).to.deep.equal(['', '']);
    expect(parsePageUrl('').joinCode).to.equal(undefined);
    expect(parsePageUrl('?join=x&map=a').filters).to.have.length(1);
  });

  it('opens the form for a server that is missing, but not where it is embedded', () => {
    expect(parsePageUrl('?missing').isMissingOpen).to.equal(true);
    expect(formatPageUrl({ ...EMPTY, isMissingOpen: true })).to.equal('?missing');
    for (const search of ['', '?embed&missing']) expect(parsePageUrl(search).isMissingOpen).to.equal(false);
    expect(parsePageUrl('?missing=x&map=a').filters).to.have.length(1);
  });

  it('has a look where it is embedded, of words and colours alone', () => {
    const { look } = parsePageUrl('?embed&theme=dark&accent=%23C2410c&columns=name,%20map,nothing&search=0');
    expect(look).to.deep.equal({
      theme: 'dark',
      accent: '#c2410c',
      columns: ['name', 'map', 'nothing'],
      hasSearch: false,
    });
    expect(parsePageUrl('?embed&accent=36c').look.accent).to.equal('#3366cc');
    expect(parsePageUrl('?theme=dark&accent=36c&columns=map&search=0').look).to.deep.equal(DEFAULT_LOOK);
    const wrong = [
      'theme=auto',
      'theme=DARK',
      'theme=dark;}',
      'accent=red',
      'accent=url(//x)',
      'accent=%23fff;}*{color:red',
      'accent=fff%0a',
      'accent=%23%23fff',
      'accent=ffff',
      'columns=,',
      'columns=%3Cb%3E,A,__proto__%00,%20',
      `columns=${'x'.repeat(21)}`,
      'search=1',
      'search=false',
    ];
    for (const text of wrong) expect(parsePageUrl(`?embed&${text}`).look, text).to.deep.equal(DEFAULT_LOOK);
  });

  it('locks the filters before the lock, or all of them, where it is embedded', () => {
    expect(namesIn('?embed&lock=1&region=eu&mode=x')).to.deep.equal(['region stays', 'mode stays']);
    expect(namesIn('?embed&region=eu&mode=x&lock=1')).to.deep.equal(['region stays', 'mode stays']);
    expect(namesIn('?region=eu&lock=1&mode=x&embed')).to.deep.equal(['region stays', 'mode']);
    for (const search of ['?embed&region=eu&lock=0', '?embed&region=eu&lock', '?region=eu&lock=1'])
      expect(namesIn(search), search).to.deep.equal(['region']);
    const state = parsePageUrl('?embed&lock=1&region=eu,na');
    const searched = { ...state, filters: [{ name: 'q', rawValue: 'x' }] };
    expect(formatPageUrl(searched)).to.equal('?embed&region=eu,na&lock=1&q=x');
    expect(filtersText(allFilters(searched))).to.equal('region=eu,na&q=x');
    expect(formatPageUrl({ ...searched, isEmbedded: false })).to.equal('?region=eu,na&q=x');
  });

  it('holds no text that is no language', () => {
    expect(parsePageUrl('?lang=de').language).to.equal('de');
    expect(parsePageUrl('?lang=../x').language).to.equal(undefined);
  });
});

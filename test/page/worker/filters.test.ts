import { expect } from 'chai';
import * as fc from 'fast-check';
import { DETAIL_FIELDS, DETAIL_NAMES } from '../../../src/model/fields/detail-fields.ts';
import { fold } from '../../../src/model/fold.ts';
import type { Service } from '../../../src/service/service.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { parseToldChanges } from '../../../clients/typescript/src/feed/changes-answer.ts';
import { parseFilters } from '../../../src/page/worker/filters.ts';
import { parseViewOrder } from '../../../src/page/worker/order.ts';
import { FollowedList } from '../../../src/model/view/followed-list.ts';
import { ViewRows } from '../../../src/model/view/view-rows.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';
import { startTestService } from '../../support/start-test-service.ts';

const FIELDS = ['id', 'ip', 'host', 'name', 'map', 'mode', 'version', 'region', 'players', 'max_players'];
const BOOLEANS = DETAIL_NAMES.filter((name) => DETAIL_FIELDS[name].kind === 'boolean');
const SORTABLE = [...FIELDS, 'free', 'registered_at'];

/** Texts that are alike, so that values are equal, begin alike, and differ by case and accents alone. */
const TEXTS = [
  'de_dust2', 'de_Dust2', 'DE_', 'de*', '*', 'a,b', 'a', 'b', 'A b', 'É', 'é', 'e', 'Straße', 'STRASSE', 'ﬁn', 'ΣΑΣ',
  'σας', 'İstanbul', 'ｆｕｌｌ', '서울', 'مرحبا', '<b>&amp;', "'; --", '%2C', '100%', 'a+b', 'a=b', 'q', '🎮 fun', 'ẞ', 'x y z',
]; // prettier-ignore

const aText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) },
);
const anIp = fc.oneof(
  fc.constantFrom('203.0.113.7', '2001:db8::1', '::ffff:198.51.100.1'),
  fc.ipV4(),
  fc.ipV6(),
);
const aCount = fc.integer({ min: 0, max: 6 });

const aBody = fc.record(
  {
    server_host: fc.constantFrom('a.example', 'b.example', 'A.example'),
    server_name: aText,
    server_ip: anIp,
    players: aCount,
    max_players: aCount.map((count) => count + 1),
    map: aText,
    mode: aText,
    version: fc.constantFrom('1', '1.2', '1.10'),
    region: fc.constantFrom('eu', 'na', 'EU'),
    ...Object.fromEntries(BOOLEANS.map((name) => [name, fc.boolean()])),
    tags: fc.array(aText, { maxLength: 4 }),
  },
  { requiredKeys: ['server_host', 'server_name', 'server_ip', 'players', 'max_players'] },
);

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('*', '%2A');

/** Percent-encoded, or as a person types it. */
const aValue = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.constantFrom('whole', 'prefix', 'raw', 'plus'), fc.nat({ max: 6 }))
    .map(([value, kind, length]) => {
      if (kind === 'whole') return encoded(value);
      if (kind === 'prefix') return `${encoded(Array.from(value).slice(0, length).join(''))}*`;
      const raw = value.replaceAll(/[&#]/g, '');
      return kind === 'raw' ? raw : raw.replaceAll(' ', '+');
    });

const aRange = fc.oneof(
  aCount.map(String),
  fc.tuple(aCount, aCount).map(([from, to]) => `${from}..${to}`),
  aCount.map((from) => `${from}..`),
  aCount.map((to) => `..${to}`),
  fc.constantFrom('', '..', 'x', '-1', '1.5', '007', '1234567890', '2..1'),
);
const aBoolean = fc.constantFrom('true', 'false', 'True', '', 't%72ue');

const aParameter = fc
  .oneof(
    ...['name', 'map', 'mode', 'version', 'region', 'host', 'tags', 'id', 'nam', 'constructor', 'meta.'].map(
      (name) => fc.tuple(fc.constant(name), fc.array(aValue(aText), { minLength: 1, maxLength: 3 })),
    ),
    fc.tuple(fc.constant('ip'), fc.array(aValue(anIp), { minLength: 1, maxLength: 3 })),
    ...['players', 'max_players', 'free'].map((name) =>
      fc.tuple(fc.constant(name), fc.array(aRange, { minLength: 1, maxLength: 3 })),
    ),
    ...[...BOOLEANS, 'full', 'empty'].map((name) =>
      fc.tuple(fc.constant(name), fc.array(aBoolean, { minLength: 1, maxLength: 2 })),
    ),
    fc.tuple(fc.constant('q'), fc.array(aValue(aText), { minLength: 1, maxLength: 2 })),
  )
  .chain(([name, values]) =>
    fc.constantFrom('=', '=', '=', '!=', '%21=').map((sign) => `${name}${sign}${values.join(',')}`),
  );

const aSort = fc
  .array(
    fc
      .tuple(fc.boolean(), fc.constantFrom(...SORTABLE))
      .map(([isMinus, name]) => (isMinus ? `-${name}` : name)),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join(','));

const aQuery = fc.record({ parameters: fc.array(aParameter, { maxLength: 3 }), sort: aSort });

interface Page {
  readonly servers?: readonly ListedServer[];
  readonly details?: readonly { readonly field: string }[];
}

const many = (count: number, part: (n: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(separator);

/** What the page shows of such a list. */
function shown(list: FollowedList, filters: string, sort: string): readonly string[] {
  const rows = new ViewRows();
  const { matches } = parseFilters(filters);
  rows.arrange({ matches, compare: parseViewOrder(sort, []).compare }, list.entries());
  return rows.rows({ start: 0, count: 1000 }, 0).rows.map(({ server }) => server.id);
}

const utf8 = (query: string): string => query.replaceAll(/[^!-~]/gu, (each) => encodeURIComponent(each));

describe('filters and order of the page', function () {
  this.timeout(60_000);
  let service: Service;
  const get = async (path: string): Promise<Page> =>
    (await ask(service, `GET ${path}`)).body as unknown as Page;

  /** The list as a client has it that follows it. */
  class Follower {
    readonly list = new FollowedList();
    #tag = '';

    async catchUp(): Promise<void> {
      const { text } = await ask(service, `GET /changes?since=${this.#tag}`);
      const changes = parseToldChanges(text);
      this.list.apply(changes, 0);
      this.#tag = changes.tag;
    }
  }

  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  it('show what GET /servers shows, in its order', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aBody, { minLength: 4, maxLength: 16 }), { maxLength: 4 }),
        fc.array(aQuery, { minLength: 10, maxLength: 40 }),
        async (batches, queries) => {
          await service.close();
          service = await startTestService();
          const follower = new Follower();
          await follower.catchUp();
          for (const bodies of batches) {
            await Promise.all(
              bodies.map((body) => ask(service, 'POST /broadcast', { body: aBroadcast(body) })),
            );
            await follower.catchUp();
          }
          for (const { parameters, sort } of queries) {
            const filters = utf8(parameters.join('&'));
            const { servers, details } = await get(`/servers?${filters}&sort=${sort}&limit=1000`);
            const { wrongNames, text } = parseFilters(filters);
            expect(wrongNames, filters).to.have.members([
              ...new Set((details ?? []).map(({ field }) => field).filter((name) => name !== 'sort')),
            ]);
            if (details === undefined)
              expect(shown(follower.list, filters, sort), `${filters} ${sort}`).to.deep.equal(
                servers!.map(({ id }) => id),
              );
            else {
              // What is wrong is left out.
              const { servers: rest } = await get(`/servers?${text}&sort=${sort}&limit=1000`);
              expect(shown(follower.list, filters, sort), text).to.deep.equal(rest!.map(({ id }) => id));
            }
            compared += 1;
          }
        },
      ),
      { numRuns: runs(2) },
    );
    expect(compared).to.be.at.least(20);
  });

  it('find a server by its id and by the beginning of it', async () => {
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    const follower = new Follower();
    await follower.catchUp();
    for (const filters of [`id=${body.server_id}`, `id=x,${body.server_id!.slice(0, 4)}*`])
      expect(shown(follower.list, filters, '')).to.deep.equal([body.server_id]);
    expect(shown(follower.list, `id!=${body.server_id}`, '')).to.have.length(0);
  });

  it('find the same words as the service, in each spelling of a text', async () => {
    await Promise.all(
      TEXTS.map((text) =>
        ask(service, 'POST /broadcast', { body: aBroadcast({ server_name: text, map: text }) }),
      ),
    );
    const follower = new Follower();
    await follower.catchUp();
    for (const text of TEXTS)
      for (const spelling of new Set([text, text.toUpperCase(), text.normalize('NFD'), fold(text)])) {
        const filters = `q=${encodeURIComponent(spelling)}`;
        const { servers } = await get(`/servers?${filters}`);
        expect(servers, spelling).to.have.length.above(0);
        expect(shown(follower.list, filters, 'registered_at'), spelling).to.deep.equal(
          servers!.map(({ id }) => id),
        );
      }
  });

  it('are those that the service takes, in number too', async () => {
    for (const filters of [
      many(16, (n) => `map!=${n}`, '&'),
      many(17, (n) => `map!=${n}`, '&'),
      `map=${many(32, String, ',')}`,
      `map=${many(33, String, ',')}`,
      `q=${'é'.repeat(64)}`,
      `q=${'é'.repeat(65)}`,
      'q=%CC%81',
      'map=%ff',
      '%ff=1',
      'map',
      '=1',
      '&&map=a&',
      'meta.key=1',
      'meta.=1',
      'meta.!=1',
      'meta.!!=1',
      'meta.key=',
      'meta.a%2Ab!=%2A',
    ]) {
      const path = utf8(filters);
      const { details = [] } = await get(`/servers?${path}`);
      expect(parseFilters(path).wrongNames, filters).to.deep.equal(details.map(({ field }) => field));
    }
  });
});

describe('the filters of the page', () => {
  it('leave to the service what only it can tell', () => {
    const { text, metaText } = parseFilters('map=a&meta.mod=x&meta.level!=1,2&nope=1');
    expect(text).to.equal('map=a&meta.mod=x&meta.level!=1,2');
    expect(metaText).to.equal('meta.mod=x&meta.level!=1,2');
  });
});

describe('the order of the page', () => {
  it('is -players where none is asked for, or a wrong one', () => {
    for (const sort of ['nope', 'players,', '-', 'id,ip,host,name,map'])
      expect(parseViewOrder(sort, []).isWrong, sort).to.equal(true);
    expect(parseViewOrder('', []).isWrong).to.equal(false);
    expect(parseViewOrder('id,id,id,id,id,-ip', []).isWrong).to.equal(false);
  });
});

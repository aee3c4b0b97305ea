/** `GET /browse` without any script: what it shows of the list, of one server, and of what is wrong. */

import { expect } from 'chai';
import { ServiceError } from '../../../src/model/service-error.ts';
import type { Registry } from '../../../src/registry/registry.ts';
import { ask, expectError, type AskOptions, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useBrowse, type UsedBrowse } from '../../support/use-browse.ts';

/** What a browser asks for. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const HOSTILE = `<img src=x onerror="a()">&'</td>`;

function open(service: UsedBrowse, query = '', options: AskOptions = {}): Promise<TestAnswer> {
  return ask(service, `GET /browse${query}`, { ...options, headers: { ...BROWSER, ...options.headers } });
}

async function broadcast(service: UsedBrowse, overrides: Record<string, unknown> = {}): Promise<string> {
  const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(overrides) });
  return body.server_id!;
}

/** One more than a page shows. */
async function fillPages(
  service: UsedBrowse,
  fieldsOf: (n: number) => Record<string, unknown>,
): Promise<void> {
  await Promise.all(Array.from({ length: 101 }, (_, n) => broadcast(service, fieldsOf(n))));
}

function namesIn({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<td role="cell" class="name">.*?<bdi>(.*?)<\/bdi>/gs)].map(([, name]) => name!);
}

/** What the form of the search sends. */
function fieldsIn({ text }: TestAnswer): readonly string[] {
  const fields = [...text.matchAll(/name="([^"]+)" value(?:="([^"]*)")?/g)];
  return fields.map(([, name, value = '']) => `${name}=${value}`);
}

/** The link of the first row, behind the address of the page. */
function serverIn({ text }: TestAnswer): string {
  const [, link] = /<td role="cell" class="name">.*?href="\.\/browse(.*?)"/s.exec(text)!;
  return link!.replaceAll('&amp;', '&');
}

/** What other programs are told of a page. */
function metaIn({ text }: TestAnswer): Readonly<Record<string, string>> {
  const all = text.matchAll(/<meta (?:name|property)="(description|robots|og:\w+)" content="([^"]*)"/g);
  return Object.fromEntries(Array.from(all, ([, name, content]) => [name!, content!]));
}

/** The queries of the links of this kind. */
function linksIn({ text }: TestAnswer, rel: string): readonly string[] {
  return [...text.matchAll(new RegExp(`rel="${rel}" href="\\./browse(.*?)"`, 'g'))].map(([, query]) =>
    query!.replaceAll('&amp;', '&'),
  );
}

/** The cells of the first row, and of its quiet line. */
function partsIn({ text }: TestAnswer): readonly string[] {
  const [row] = /<tr role="row" aria-rowindex="2".*?<\/tr>/s.exec(text)!;
  return [
    ...row.matchAll(
      /<(?:td role="cell"|\w+) class="(favourite|name|line-\w+|map|mode|tag|region|version|players|address|actions)\b/g,
    ),
  ].map(([, name]) => name!);
}

/** Where the answer leads; its status if it leads nowhere. */
async function redirectOf(service: UsedBrowse, query: string): Promise<unknown> {
  const { status, headers } = await open(service, query);
  return status === 303 ? headers['location'] : status;
}

/** From now on the list is as of this time. */
function makeStale({ registry }: UsedBrowse, staleSince: number): void {
  const list = registry.list.bind(registry);
  (registry as { list: Registry['list'] }).list = async () => ({ ...(await list()), staleSince });
}

describe('the page for people', () => {
  const service = useBrowse({ GSLS_PAGE_TITLE: '<Tactics>', GSLS_ALLOW_UNLISTED: 'true' });

  it('shows those servers first that have the most players and a place, a hundred on a page', async () => {
    await fillPages(service, (n) => ({ server_name: `S${n}`, players: n, max_players: 200 }));
    const first = await open(service);
    expect(namesIn(first)).to.deep.equal(Array.from({ length: 100 }, (_, n) => `S${100 - n}`));
    expect(first.text).to.include('101 servers');
    expect(linksIn(first, 'first')).to.deep.equal([]);
    const [next] = linksIn(first, 'next');
    const second = await open(service, next);
    expect(namesIn(second)).to.deep.equal(['S0']);
    expect([linksIn(second, 'first'), linksIn(second, 'next')]).to.deep.equal([[''], []]);
  });

  it('takes the filters and the order of GET /servers, and leaves what is its own', async () => {
    await broadcast(service, { server_name: 'A', map: 'x', players: 1 });
    await broadcast(service, { server_name: 'B', map: 'x', players: 2 });
    await broadcast(service, { server_name: 'C', map: 'y', players: 3 });
    const namesOf = async (query: string): Promise<readonly string[]> => namesIn(await open(service, query));
    expect(await namesOf('')).to.deep.equal(['C', 'B', 'A']);
    expect(await namesOf('?map=x')).to.deep.equal(['B', 'A']);
    expect(await namesOf('?map!=x&favourites&range=30d&embed&lang=de&limit=1&include=meta')).to.deep.equal([
      'C',
    ]);
    expect(await namesOf('?q=b')).to.deep.equal(['B']);
    for (const q of ['203.0.113.7', '203.0.113.7:7777', 'game.example', 'c'])
      expect(await namesOf(`?q=${q}`), q).to.include('C');
    expect(await namesOf('?sort=name')).to.deep.equal(['A', 'B', 'C']);
    expect(await namesOf('?map=nowhere')).to.deep.equal([]);
    expect((await open(service, '?map=nowhere')).text).to.include('No server matches.');
  });

  it('says of an empty list how to list a first game server, by the address that the reader has used', async () => {
    const commandOf = async (headers: Record<string, string>): Promise<readonly string[]> => {
      const { text } = await open(service, '', { headers });
      expect(text).to.include('There are no game servers yet.').and.to.include('<code>gsls demo');
      expect(text).to.include('in the header Authorization');
      return /<code>curl &quot;(.*?)\/broadcast&quot; -d '(.*?)'<\/code>/.exec(text)!.slice(1);
    };
    const [own, body] = await commandOf({});
    expect(own).to.equal(service.url);
    expect((await commandOf({ Host: 'list.example.com', 'X-Forwarded-Proto': 'https' }))[0]).to.equal(
      'https://list.example.com',
    );
    // What a shell would not take as text is not repeated.
    for (const host of ["$(reboot)'", 'a;reboot', 'a&b'])
      expect((await commandOf({ Host: host }))[0]).to.equal('http://localhost:53600');
    for (const query of ['?map=nowhere', '?q=x'])
      expect((await open(service, query)).text)
        .to.include('No server matches.')
        .and.to.not.include('curl');
    const embedded = await open(service, '?embed');
    expect(embedded.text).to.include('There are no game servers yet.').and.to.not.include('curl');
    expect((await open(service, '?lang=de')).text).to.include('Es gibt noch keine Spielserver.');

    await ask(service, 'POST /broadcast', { body: body!.replaceAll('&quot;', '"') });
    expect(namesIn(await open(service))).to.deep.equal(['Frankfurt 1']);
    expect((await open(service)).text).to.not.include('curl');
  });

  it('keeps the filters and the order in its links and its search, and what the address has for the page', async () => {
    await fillPages(service, (n) => ({ map: 'a,b', mode: n % 2 ? 'x' : 'y' }));
    const answer = await open(service, '?lang=de&embed&map=a%2Cb&mode=x,y&q=server&sort=players');
    const [next] = linksIn(answer, 'next');
    expect(next).to.match(/^\?embed&lang=de&map=a%2Cb&mode=x,y&q=server&sort=players&cursor=[\w-]+$/);
    expect(fieldsIn(answer)).to.deep.equal([
      'embed=',
      'lang=de',
      // That of alternatives cannot be sent by a form.
      'map=a,b',
      'sort=players',
      'q=server',
    ]);
    expect(namesIn(await open(service, next))).to.have.length(1);
  });

  it('shows one server with all that it says', async () => {
    const details = {
      region: 'eu',
      tags: ['t1', 't2'],
      password: true,
      addresses: [{ ip: '2001:db8::7', port: 1 }],
      meta: {
        description: 'Come in',
        website: 'https://example.com/rules',
        friendly_fire: false,
        rules: 'none',
        level: [5],
      },
    };
    const id = await broadcast(service, { server_name: 'Frankfurt', ...details });
    const { status, text } = await open(service, `/${id}?map=x`);
    expect(status).to.equal(200);
    for (const shown of [
      'game.example.com:7777',
      '203.0.113.7:7777',
      '[2001:db8::7]:1',
      'Come in',
      'Friendly fire',
      'off',
      'none',
      '5',
    ])
      expect(text).to.include(`<bdi>${shown}</bdi>`);
    expect(text).to.match(/<bdi class="mark mark-\d">Europe<\/bdi>/);
    expect(text).to.include(
      '<a href="https://example.com/rules" rel="noopener nofollow ugc">example.com</a>',
    );
    expect(text).to.include('<h2><bdi>Frankfurt</bdi></h2>').and.to.include('href="../browse?map=x"');
    expect(namesIn(await open(service))).to.deep.equal(['Frankfurt']);
  });

  it('says in tags what a link to a server is about, with no address that a client chose', async () => {
    const id = await broadcast(service, { server_name: 'Frankfurt', map: 'de_dust', region: 'eu' });
    const shown = await open(service, `/${id}`, { headers: { Host: 'evil.example' } });
    const description = '3 of 16 players · de_dust · Europe';
    expect(metaIn(shown)).to.deep.equal({
      description,
      'og:type': 'website',
      'og:site_name': '&lt;Tactics>',
      'og:title': 'Frankfurt',
      'og:description': description,
    });
    expect(shown.text).to.not.include('evil.example');
    expect(metaIn(await open(service, `/${id}?lang=de`))['description']).to.include('3 von 16 Spielern');
    expect(metaIn(await open(service))).to.deep.equal({ description: '&lt;Tactics>' });
  });

  it('shows an unlisted server to nobody that has no more than its id', async () => {
    const id = await broadcast(service, { server_name: 'Hidden', unlisted: true });
    const [hidden, none] = [await open(service, `/${id}`), await open(service, '/none')];
    expect([hidden.status, none.status]).to.deep.equal([404, 404]);
    expect(hidden.text).to.equal(none.text).and.to.include('main-AAAAAAAA.js');
    expect(metaIn(hidden)).to.deep.equal({ robots: 'noindex' });
    expect((await open(service)).text).to.not.include('Hidden');
  });

  it('leads from the address that a server had in earlier releases to its page', async () => {
    expect(await redirectOf(service, '?server=a1')).to.equal('browse/a1');
    expect(await redirectOf(service, '?lang=de&map=x&server=a1&embed')).to.equal(
      'browse/a1?embed&lang=de&map=x',
    );
    expect(await redirectOf(service, '?server=%2F%2Fevil.example%0D%0Ax')).to.equal(
      'browse/%2F%2Fevil.example%0D%0Ax',
    );
    expect(await redirectOf(service, '?server=')).to.equal(200);
    expect(await redirectOf(service, '?server=%ff')).to.equal(200);
  });

  it('says that a server is not listed, and asks no more of a list that may have missed it', async () => {
    const gone = await open(service, '/gone');
    expect([gone.status, gone.headers['content-type']]).to.deep.equal([404, 'text/html; charset=utf-8']);
    expect(gone.text).to.include('This server is no longer on the list.');
    makeStale(service, Date.now());
    expect((await open(service, '/gone')).status).to.equal(503);
  });

  it('tells a wrong query to a person, and to a program as all of the API does', async () => {
    for (const query of ['?mpa=x', '?cursor=x', '?sort=nothing', '?q=%ff']) {
      const { status, headers, text } = await open(service, query);
      expect([status, headers['content-type'], headers['cache-control']]).to.deep.equal([
        400,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(text)
        .to.include('<p class="plain-line is-bad" role="alert">')
        .and.to.include('main-AAAAAAAA.js');
    }
    expect((await open(service, '?mpa=<b>')).text).to.include(
      'mpa is not a parameter here; did you mean map?',
    );
    expectError(await ask(service, 'GET /browse?mpa=x'), 'invalid_query');
    expectError(await ask(service, 'GET /browse?cursor=x'), 'invalid_cursor');
  });

  it('says when there is no list, and brings the script that tries again by itself', async () => {
    (service.registry as { list: Registry['list'] }).list = () =>
      Promise.reject(new ServiceError('registry_unavailable'));
    const { status, headers, text } = await open(service, '?lang=de');
    expect(status).to.equal(503);
    expect(headers['retry-after']).to.match(/^[1-5]$/);
    expect(headers['content-security-policy']).to.be.a('string');
    expect(text).to.include('<html lang="de"').and.to.include('src="./browse/start.js"');
  });

  it('says since when the list is not current', async () => {
    await broadcast(service);
    makeStale(service, Date.UTC(2026, 10, 22, 10, 0, 5));
    const { status } = await open(service);
    // It is older than --max-stale.
    expect(status).to.equal(503);
    const staleSince = Date.now() - 5000;
    makeStale(service, staleSince);
    const { headers, text } = await open(service);
    expect(headers['warning']).to.equal('110 - "Response is Stale"');
    expect(text)
      .to.include('<p class="plain-line is-warn" role="status">')
      .and.to.include(`<time datetime="${new Date(staleSince).toISOString()}">`);
    expect(namesIn(await open(service))).to.have.length(1);
  });

  it('shows texts of game servers as texts, and turns none of them into markup, a link or a direction', async () => {
    const hostile = {
      server_name: HOSTILE,
      map: HOSTILE,
      mode: HOSTILE,
      version: HOSTILE,
      region: '<b>',
      tags: [HOSTILE],
    };
    const id = await broadcast(service, {
      ...hostile,
      meta: {
        [HOSTILE]: HOSTILE,
        url: 'javascript:a()',
        website: 'javascript:a()',
        discord: `https://a"${HOSTILE}`,
      },
    });
    for (const query of ['', `/${id}`, `?q=${encodeURIComponent('<img>')}&lang=<b>`, `?<b>=1`]) {
      const { text } = await open(service, query);
      expect(text).to.not.match(/<img|<b>(?!\d)|onerror="|href="javascript|<\/td>&/);
      expect(text.match(/<script/g)).to.have.length(2);
    }
    const { text } = await open(service);
    expect(text).to.include(`&lt;img src=x onerror=&quot;a()&quot;>&amp;'&lt;/td>`);
    expect(text).to.include('<title>&lt;Tactics></title>');
    expect(metaIn(await open(service, `/${id}`))['og:title']).to.equal(
      `&lt;img src=x onerror=&quot;a()&quot;>&amp;'&lt;/td>`,
    );
  });

  it('is in the language that the address asks for, or else the reader', async () => {
    const languageOf = async (query: string, accepted?: string): Promise<string> => {
      const headers = accepted === undefined ? {} : { 'Accept-Language': accepted };
      const { text, headers: answered } = await open(service, query, { headers });
      expect(answered['vary']).to.equal('Accept-Encoding, Accept-Language');
      return /<html lang="(.*?)" dir="ltr"/.exec(text)![1]!;
    };
    expect(await languageOf('')).to.equal('en');
    expect(await languageOf('', 'fr, de-AT;q=0.8, en;q=0.5')).to.equal('de');
    expect(await languageOf('', 'de;q=0, en')).to.equal('en');
    expect(await languageOf('?lang=de', 'en')).to.equal('de');
    expect(await languageOf('?lang=xx', 'de')).to.equal('de');
    expect(await languageOf('?lang=de&lang=en', 'en')).to.equal('de');
    expect((await open(service, '?lang=de')).text).to.include('Server suchen');
  });

  it('is the same bytes while it shows the same, and others for what changes', async () => {
    const id = await broadcast(service);
    const first = await open(service);
    const { etag } = first.headers;
    const known = { headers: { 'If-None-Match': etag! } };
    expect((await open(service, '', known)).status).to.equal(304);
    expect(first.headers['cache-control']).to.equal('no-cache');
    const gzip = await open(service, '', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(gzip.bytes.length).to.be.below(first.bytes.length);
    const head = await ask(service, 'HEAD /browse', { headers: BROWSER });
    expect([head.status, head.text, head.headers['etag']]).to.deep.equal([200, '', etag]);
    expect((await ask(service, 'OPTIONS /browse')).headers['allow']).to.equal('GET, HEAD, OPTIONS');
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, players: 9 }) });
    const changed = await open(service, '', known);
    expect([changed.status, /<b>9<\/b>|>9</.test(changed.text)]).to.deep.equal([200, true]);
  });
});

describe('the page for people in a frame, as its address says', () => {
  const service = useBrowse();
  const stylesOf = async (query: string): Promise<readonly string[]> => {
    const { text } = await open(service, query);
    const files = [...text.matchAll(/<link rel="stylesheet" href="\.\/(.*?)"/g)].map(([, file]) => file!);
    return Promise.all(
      files.map(async (file) => {
        const style = await ask(service, `GET /${file}`);
        expect([style.status, style.headers['content-type']]).to.deep.equal([200, 'text/css; charset=utf-8']);
        return style.text;
      }),
    );
  };

  it('keeps its look in every link and in its search', async () => {
    await fillPages(service, () => ({ map: 'm' }));
    const look = 'embed&theme=dark&accent=36c&columns=name,players';
    const answer = await open(service, `?${look}&map=m`);
    const kept = '?embed&theme=dark&accent=3366cc&columns=name,players&';
    expect(linksIn(answer, 'next')[0])
      .to.match(/&cursor=[\w-]+$/)
      .and.to.include(`${kept}map=m&`);
    expect(serverIn(answer))
      .to.match(/^\/[\w-]+\?/)
      .and.to.include(`${kept}map=m`);
    expect(fieldsIn(answer)).to.deep.equal([
      'embed=',
      'theme=dark',
      'accent=3366cc',
      'columns=name,players',
      'map=m',
      'q=',
    ]);
    expect((await open(service, '?embed&search=0')).text).to.not.include('<form');
    expect((await open(service, '?search=0')).text).to.include('<form');
  });

  it('keeps locked filters in every link and in its search, which is not there where it would lose one', async () => {
    await fillPages(service, () => ({ region: 'e u', map: 'm' }));
    const answer = await open(service, '?embed&region=e%20u&lock=1&map=m');
    const kept = '?embed&region=e%20u&lock=1';
    const [next] = linksIn(answer, 'next');
    expect(next)
      .to.match(/&cursor=[\w-]+$/)
      .and.to.include(`${kept}&map=m&`)
      .and.to.not.match(/region.*region/);
    expect(namesIn(await open(service, next))).to.have.length(1);
    expect(serverIn(answer)).to.include(`${kept}&map=m`);
    const one = await open(service, serverIn(answer));
    expect(one.text.replaceAll('&amp;', '&')).to.include(`href="../browse${kept}&map=m"`);
    expect(fieldsIn(answer)).to.deep.equal(['embed=', 'region=e u', 'lock=1', 'map=m', 'q=']);
    for (const [query, hasSearch] of [
      ['?embed&region=eu,na&lock=1', false],
      ['?embed&region=eu,na', true],
      ['?embed&region=%zz"><b>&lock=1', true],
    ] as const) {
      const { text } = await open(service, query);
      expect(text.includes('<form'), query).to.equal(hasSearch);
      expect(text).to.not.include('<b>');
    }
    // What is wrong with them cannot be mended by a link that keeps them.
    expect((await open(service, '?embed&players=many&lock=1')).text).to.not.include('All servers');
    expect((await open(service, '?embed&players=many')).text).to.include('All servers');
  });

  it('has the theme, the colour and the columns that are named', async () => {
    await broadcast(service, { map: 'm', mode: 'x', region: 'eu', version: '1', tags: ['t'] });
    const { text } = await open(service, '?embed&theme=dark');
    expect(text).to.include('data-theme="dark"').and.to.include('name="color-scheme" content="dark"');
    expect((await open(service, '?theme=dark')).text).to.include('data-theme="auto"');
    expect(await stylesOf('?embed')).to.have.length(1);
    const partsOf = async (query: string): Promise<string> => partsIn(await open(service, query)).join(' ');
    expect(await partsOf('')).to.equal('name line-region map mode tag region version players actions');
    expect(await partsOf('?embed')).to.equal(await partsOf(''));
    expect(await partsOf('?embed&columns=map,players,favourite,nothing')).to.equal('name map players');
    expect(await partsOf('?embed&columns=address,tags')).to.equal('name address tag');
    const [, accent] = await stylesOf('?embed&accent=%230000ff');
    expect(accent).to.match(/--accent: var\(--light, #0000ff\)/);
  });

  it('takes nothing hostile for a look', async () => {
    await broadcast(service);
    const plain = await open(service, '?embed');
    for (const text of [
      '"><script>a()</script>',
      '}*{color:red',
      'dark" onload="a()',
      "'",
      '\0',
      'url(//x)',
      'javascript:a()',
      '__proto__',
      '../../x',
      '\u202egnp',
      'f'.repeat(3000),
    ]) {
      const value = encodeURIComponent(text);
      for (const name of ['theme', 'accent', 'columns', 'search'])
        expect((await open(service, `?embed&${name}=${value}`)).text, `${name}=${text}`).to.equal(plain.text);
    }
  });
});

describe('the notice of the page for people', () => {
  const noticed = useBrowse({ GSLS_PAGE_NOTICE: `We move: </p>${HOSTILE}` });
  const without = useBrowse();

  it('is text above everything that the page shows, also in a frame', async () => {
    const id = await broadcast(noticed);
    for (const query of ['', '?embed', '?map=nowhere', `/${id}`, '?players=many', '/nobody']) {
      const { text } = await open(noticed, query);
      const [, notice] = /<main>\s*<p class="notice" role="note" dir="auto">(.*?)<\/p>/s.exec(text)!;
      expect(notice, query).to.equal(`We move: &lt;/p>&lt;img src=x onerror=&quot;a()&quot;>&amp;'&lt;/td>`);
    }
  });

  it('is not there unless there is one', async () => {
    expect((await open(without)).text).to.not.include('class="notice"');
  });
});

describe('the pages of servers for a service whose address is known', () => {
  const service = useBrowse({
    GSLS_PUBLIC_URL: 'https://list.example/games',
    GSLS_PAGE_REGIONS: 'eu=Old world',
  });

  it('name it in what chats show of a link, whatever the client says', async () => {
    const id = await broadcast(service, { region: 'eu' });
    const shown = await open(service, `/${id}?lang=de`, { headers: { Host: 'evil.example' } });
    expect(metaIn(shown)['og:url']).to.equal(`https://list.example/games/browse/${id}`);
    expect(metaIn(shown)['description']).to.include('Old world');
    expect(shown.text).to.not.include('evil.example');
  });
});

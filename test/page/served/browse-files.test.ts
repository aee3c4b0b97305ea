/** The files of the page for people, its headers, and the options that change both. */

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pictureOf } from '../../../src/page/served/picture.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { PAGE_FILES, useBrowse } from '../../support/use-browse.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const AVIF = Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0avifmif1rest', 'latin1');
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** The files that the page names. */
function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:href|src)="\.\/(browse\/[^"?]+)"/g)].map(([, file]) => file!);
}

function settingsIn(text: string): Readonly<Record<string, unknown>> {
  const [, settings] = /data-settings="(.*?)"/.exec(text)!;
  return JSON.parse(settings!.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Record<string, unknown>;
}

describe('the files of the page for people', () => {
  const service = useBrowse();

  it('have names that change with them, and are kept for good', async () => {
    const { text } = await ask(service, 'GET /browse');
    const stay = ['browse/start.js'];
    expect(filesIn(text)).to.have.length(5).and.to.include.members(stay);
    const hashed = filesIn(text).filter((file) => !stay.includes(file));
    const named = [...hashed, settingsIn(text)['worker'] as string, 'browse/chunk-DDDDDDDD.js'];
    for (const file of named) {
      const { status, headers } = await ask(service, `GET /${file}`);
      expect([status, headers['cache-control']], file).to.deep.equal([200, FOR_GOOD]);
      expect(headers['content-type']).to.match(/^(text\/(javascript|css); charset=utf-8|image\/svg\+xml)$/);
      expect(headers['x-content-type-options']).to.equal('nosniff');
    }
  });

  it('have a short time in caches where their names stay', async () => {
    for (const [file, type] of [
      ['embed.js', 'text/javascript'],
      ['start.js', 'text/javascript'],
      ['LICENSES.txt', 'text/plain'],
    ] as const) {
      const { headers, text } = await ask(service, `GET /browse/${file}`);
      expect(text).to.equal(PAGE_FILES[file]);
      expect(headers).to.include({
        'cache-control': 'public, max-age=600',
        'content-type': `${type}; charset=utf-8`,
      });
      const again = await ask(service, `GET /browse/${file}`, {
        headers: { 'If-None-Match': headers.etag! },
      });
      expect([again.status, again.text]).to.deep.equal([304, '']);
      expect((await ask(service, `HEAD /browse/${file}`)).status).to.equal(200);
    }
  });

  it('are compressed as small as zlib makes them, since they stay', async () => {
    const { bytes, headers } = await ask(service, 'GET /browse/LICENSES.txt', {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(bytes).toString()).to.equal(PAGE_FILES['LICENSES.txt']);
    expect(bytes.length).to.equal(gzipSync(PAGE_FILES['LICENSES.txt']!, { level: 9 }).length);
  });

  it('are no more than those', async () => {
    for (const path of [
      '/browse/',
      '/browse/none.js',
      '/browse/files.json',
      '/browse/connect.js',
      '/browse/main-AAAAAAAA.js.map',
      '/browse/..%2ffiles.json',
      '/browse/..%2f..%2fpackage.json',
      '/browse/%2e%2e',
      '/browse/a/b',
      '/browse/a.b',
      '/browse/main-AAAAAAAA.js%00',
      '/browse/accent-c2410c-AAAAAAAAAAAA.css',
      '/browse/accent-red-AAAAAAAAAAAA.css',
      '/browse/columns-name-AAAAAAAAAAAA.css',
      '/browse/columns-__proto__-AAAAAAAAAAAA.css',
    ])
      expectError(await ask(service, `GET ${path}`), 'not_found');
  });
});

const policyOf = async ({ url }: { url: string }): Promise<string> => {
  const { headers } = await ask({ url }, 'GET /browse?embed');
  expect(headers).to.not.have.any.keys('x-frame-options', 'cross-origin-opener-policy');
  return /frame-ancestors ([^;]*)/.exec(headers['content-security-policy'] as string)![1]!;
};

describe('the headers of the page for people', () => {
  const service = useBrowse();
  const embedded = useBrowse({ GSLS_PAGE_EMBED_ORIGINS: 'https://a.example,https://*.b.example' });
  const anywhere = useBrowse({ GSLS_PAGE_EMBED_ORIGINS: '*' });

  it('let it load nothing but its own files, and be in frames of its own origin alone', async () => {
    const { headers, text } = await ask(service, 'GET /browse');
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types gsls",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).to.include('geolocation=()');
    expect(headers).to.not.have.property('access-control-allow-origin');
    // The example of a broadcast, which is text alone, has the address of the service.
    expect(text).to.not.match(/<script(?! (?:defer )?src=)|<style|style=|(?<!curl &quot;)https?:/);
  });

  it('name the sites that may frame it', async () => {
    expect(await policyOf(embedded)).to.equal("'self' https://a.example https://*.b.example");
    expect(await policyOf(anywhere)).to.equal('*');
  });

  it('leave out its head in a frame', async () => {
    expect((await ask(service, 'GET /browse?embed')).text).to.not.include('<header class="head"');
    expect((await ask(service, 'GET /browse')).text).to.include('<header class="head"');
  });
});

const extensionOf = (bytes: Buffer): string | undefined => pictureOf(bytes)?.extension;

describe('the look of the page for people', () => {
  const service = useBrowse(
    {
      GSLS_PAGE_TITLE: 'Tom & "Jerry"',
      GSLS_PAGE_CONNECT: 'steam://connect/{ip}:{port}?name={name}',
      GSLS_PAGE_ACCENT: '#ffee00',
    },
    { logo: pictureOf(Buffer.from(SVG)) },
  );

  it('has the title, the link to games, the colour and the logo of the operator', async () => {
    const { text } = await ask(service, 'GET /browse');
    const { title, connect, logo } = settingsIn(text);
    expect([title, connect]).to.deep.equal(['Tom & "Jerry"', 'steam://connect/{ip}:{port}?name={name}']);
    expect(logo).to.match(/^browse\/logo-[\w-]{12}\.svg$/);
    expect(text).to.include(`<img class="logo" src="./${logo as string}" alt`);
    const picture = await ask(service, `GET /${logo as string}`);
    expect(picture.text).to.equal(SVG);
    expect(picture.headers).to.include({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': FOR_GOOD,
    });
    const accent = filesIn(text).find((file) => file.includes('accent'))!;
    const style = await ask(service, `GET /${accent}`);
    expect(style.headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(style.text).to.match(/--accent: var\(--light, #[\da-f]{6}\)/);
    expect(text.indexOf(accent)).to.be.above(text.indexOf('main-BBBBBBBB.css'));
  });

  it('links to a game by the template alone, with the values of the game server encoded', async () => {
    await ask(service, 'POST /broadcast', {
      body: aBroadcast({ server_ip: '2001:db8::7', server_name: 'javascript:"><b>/?#' }),
    });
    const { text } = await ask(service, 'GET /browse');
    const [, href] = /class="connect"\s+href="(.*?)"/.exec(text)!;
    expect(href).to.equal('steam://connect/[2001:db8::7]:7777?name=javascript%3A%22%3E%3Cb%3E%2F%3F%23');
  });

  it('has a logo of any format that browsers show, by its content', () => {
    const texts = {
      '\x89PNG\r\n\x1a\n…': 'png',
      '\xff\xd8\xff\xe0': 'jpg',
      GIF89a: 'gif',
      'RIFF1234WEBPVP8 ': 'webp',
    };
    for (const [text, extension] of Object.entries(texts))
      expect(extensionOf(Buffer.from(text, 'latin1'))).to.equal(extension);
    expect(extensionOf(AVIF)).to.equal('avif');
    for (const before of [
      '',
      '\ufeff',
      '<?xml version="1.0"?>\n',
      '<!-- a --><!DOCTYPE svg [<!ENTITY a "b">]>\n',
    ])
      expect(extensionOf(Buffer.from(`${before}${SVG}`))).to.equal('svg');
    for (const text of [
      '',
      '<html><svg></svg></html>',
      'GIF',
      '%PDF-1.7',
      '<svgx>',
      'RIFF1234WAVE',
      '\0\0\0\x10ftypmp42',
      // To look at it takes as long as it is.
      '<!DOCTYPE '.repeat(25_000),
    ])
      expect(extensionOf(Buffer.from(text, 'latin1')), text).to.equal(undefined);
  });
});

describe('access to the page for people', () => {
  const withKey = useBrowse({ GSLS_KEY: 'secret' });
  const publicRead = useBrowse({ GSLS_KEY: 'secret', GSLS_PUBLIC_READ: 'true' });
  const limited = useBrowse(
    {},
    { rateLimits: { list: { requests: 1, windowS: 60, count: countOnce() } }, load: { sheds: () => false } },
  );
  const overloaded = useBrowse({}, { load: { sheds: (kind) => kind === 'list' } });
  const without = useBrowse({ GSLS_NO_PAGE: 'true' });

  it('needs the key, for which a browser asks', async () => {
    for (const path of ['/browse', '/browse/embed.js', '/browse/none']) {
      const refused = await ask(withKey, `GET ${path}`);
      expectError(refused, 'unauthorized');
      expect(refused.headers['www-authenticate']).to.include('Basic realm="gsls"');
    }
    const Authorization = `Basic ${Buffer.from('any:secret').toString('base64')}`;
    const page = await ask(withKey, 'GET /browse', { headers: { Authorization } });
    expect([page.status, page.headers['cache-control']]).to.deep.equal([200, 'private, no-cache']);
    const file = await ask(withKey, 'GET /browse/embed.js', { headers: { Authorization } });
    expect(file.headers['cache-control']).to.equal('private, max-age=600');
  });

  it('is open with --public-read', async () => {
    const { status, headers } = await ask(publicRead, 'GET /browse');
    expect([status, headers['cache-control']]).to.deep.equal([200, 'no-cache']);
    expectError(await ask(publicRead, 'POST /browse'), 'unauthorized');
  });

  it('counts as a list for limits and under load, as the page of a server does, and its files do not', async () => {
    expect((await ask(limited, 'GET /browse')).status).to.equal(200);
    expectError(await ask(limited, 'GET /browse'), 'rate_limited');
    expectError(await ask(limited, 'GET /browse/a1'), 'rate_limited');
    expect((await ask(limited, 'GET /browse/embed.js')).status).to.equal(200);
    expectError(await ask(overloaded, 'GET /browse'), 'overloaded');
    expectError(await ask(overloaded, 'GET /browse/a1'), 'overloaded');
    expect((await ask(overloaded, 'GET /browse/embed.js')).status).to.equal(200);
  });

  it('is taken away by --no-page: its paths do not exist', async () => {
    for (const path of ['/browse', '/browse/embed.js']) {
      const answer = await ask(without, `GET ${path}`);
      expectError(answer, 'not_found');
      expect(answer.body.error).to.not.include('/browse');
    }
    const { text } = await ask(without, 'GET /openapi.json');
    expect(text).to.not.include('/browse');
  });

  it('is not there on the operations port', async () => {
    const service = await startTestService({ GSLS_OPS_PORT: '0' });
    expectError(await ask({ url: service.opsUrl! }, 'GET /browse'), 'not_found');
    await service.close();
  });

  it('works behind a path of a reverse proxy: all addresses are relative', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const url = incoming.url!.replace(/^\/lists\/games/, publicRead.url);
      request(url, { headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      }).end();
    });
    await listen(proxy, '127.0.0.1', 0);
    const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/lists/games/browse`;
    const { text } = await ask({ url: base }, 'GET /lists/games/browse?embed');
    const addresses = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.length).to.be.above(3);
    for (const address of addresses) {
      const { pathname, search } = new URL(address.replaceAll('&amp;', '&'), base);
      expect(pathname).to.match(/^\/lists\/games\/browse/);
      expect((await ask({ url: base }, `GET ${pathname}${search}`)).status).to.equal(200);
    }
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
});

/** Counts all requests as those of one client. */
function countOnce(): () => { readonly requests: number; readonly endsInMs: number } {
  let requests = 0;
  return () => ({ requests: (requests += 1), endsInMs: 1000 });
}

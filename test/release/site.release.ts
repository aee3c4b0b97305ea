/** The site of the documents, as a server of static files has it and as a browser shows it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsInAllLooks } from '../page/support/axe.ts';
import { useBrowser } from '../page/support/browser.ts';
import { listen } from '../support/listen.ts';
import { needs } from '../support/needs.ts';
import { ROOT } from '../support/program.ts';
import { useDirectory } from '../support/use-directory.ts';
import { madeFile, VERSION } from './support/made-release.ts';

/** The site is served below it. */
const PATH = '/some/path/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** One page of each kind: prose, items, headings by the dozen, wide tables, and the text of a file. */
const KINDS = [
  'index.html',
  'docs/reference/options.html',
  'docs/reference/api.html',
  'bench/RESULTS.html',
  'deploy/haproxy.cfg.html',
];
const OPTION = 'docs/reference/options.html#--rate-limit-limits';
const LOOKS = ['light', 'dark'];
const NARROW = { width: 320, height: 700 };

describe('the site of the documents', () => {
  const newPath = useDirectory();
  let folder: string;
  let pages: readonly string[];
  const isFile = (path: string): boolean =>
    !path.startsWith('..') && statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;
  const read = (page: string): string => readFileSync(join(folder, page), 'utf8');

  before('the site', () => {
    const unpacked = newPath();
    mkdirSync(unpacked);
    execFileSync('tar', ['-xzf', madeFile('gsls-docs-VERSION.tar.gz'), '-C', unpacked]);
    folder = join(unpacked, `gsls-docs-${VERSION}`);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    pages = files.filter((name) => name.endsWith('.html') && read(name).includes('<main id="site-text">'));
  });

  it('has a page for every document of the folder docs', () => {
    const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name.replace('README.md', 'index.md').replace(/md$/, 'html')}`);
    expect(pages).to.include.members(documents);
  });

  it('has no link and no picture that leads nowhere, and none to a place of its server', () => {
    const ids = new Map(pages.map((page) => [page, new Set(matches(read(page), /\sid="([^"]*)"/g))]));
    const leadsSomewhere = (page: string, target: string): boolean => {
      if (/^https?:/.test(target)) return true;
      const [path, anchor] = target.split('#').map(decodeURIComponent) as [string, string?];
      const linked = path === '' ? page : posix.join(posix.dirname(page), path);
      return isFile(linked) && (anchor === undefined || ids.get(linked)?.has(anchor) === true);
    };
    const dead = pages.flatMap((page) =>
      matches(read(page), /\s(?:href|src)="([^"]*)"/g)
        .filter((target) => !leadsSomewhere(page, target))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it('gives each place of a page a name of its own, and shows no comment and no empty title', () => {
    for (const page of pages) {
      const ids = matches(read(page), /\sid="([^"]*)"/g);
      expect(ids, page).to.have.length(new Set(ids).size);
      expect(read(page), page)
        .to.match(/<title>[^<·]+/)
        .and.to.not.match(/<!--|&lt;!--.*by a test|style="/);
    }
  });

  it('is the same bytes when it is made in another place, in another time zone', () => {
    const name = `gsls-docs-${VERSION}.tar.gz`;
    const made = readFileSync(madeFile(name));
    // The time of its first file, in the head of a tar.
    const epochS = Number.parseInt(gunzipSync(made).toString('latin1', 136, 147), 8);
    const out = newPath();
    execFileSync('npm', ['run', '--silent', 'release', '--', 'site', '--out', out], {
      cwd: ROOT,
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS), TZ: 'Pacific/Kiritimati', LC_ALL: 'C' },
      stdio: 'ignore',
    });
    expect(readFileSync(join(out, name)).equals(made)).to.equal(true);
  });

  needs('chromium').describe('in a browser', () => {
    const browser = useBrowser({ pagesLast: 'block' });
    let server: Server;
    let url: string;

    before('the server', async () => {
      server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
        const name = path.slice(PATH.length) || 'index.html';
        if (!path.startsWith(PATH) || !isFile(name)) response.writeHead(404).end();
        else
          response
            .setHeader('Content-Security-Policy', "default-src 'self'")
            .setHeader('Content-Type', TYPES[extname(name)] ?? 'text/plain')
            .end(readFileSync(join(folder, name)));
      });
      await listen(server, '127.0.0.1', 0);
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    });
    after('the server', () => {
      server.closeAllConnections();
      server.close();
    });

    it('loads from its own path alone, under a strict policy, and no page is wider than a phone', async () => {
      const page = await browser.open(url + pages[0], { viewport: NARROW });
      const wide: string[] = [];
      for (const name of pages) {
        await page.goto(url + name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > NARROW.width) wide.push(`${name}: ${width} px`);
      }
      expect(wide).to.deep.equal([]);
      expect(browser.requested.filter((address) => !address.startsWith(url))).to.deep.equal([]);
    });

    for (const kind of KINDS)
      it(`shows nothing wrong to axe-core in ${kind}, light and dark, narrow and wide`, async () => {
        const page = await browser.open(url + kind);
        expect(await violationsInAllLooks(page, 'html', LOOKS)).to.deep.equal([]);
      });

    it('shows nothing wrong to axe-core in what the search finds', async () => {
      const page = await browser.open(url + KINDS[1]);
      await searchIn(page);
      expect(await violationsInAllLooks(page, '.found', LOOKS)).to.deep.equal([]);
    });

    it('finds an option by its name, and leads to it by keys alone', async () => {
      const page = await browser.open(`${url}docs/find.html`);
      await searchIn(page);
      expect(await page.getByRole('status').innerText()).to.match(/^\d+ found$/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(url + OPTION);
      await searchIn(page);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('status').isVisible()).to.equal(false);
    });

    it('is searched as a folder of files, too', async () => {
      const page = await browser.open(pathToFileURL(join(folder, 'index.html')).href);
      await searchIn(page);
      await page.keyboard.press('Enter');
      await page.waitForURL(pathToFileURL(folder).href + `/${OPTION}`);
    });

    it('says so where nothing is found', async () => {
      const page = await browser.open(url);
      await page.getByRole('searchbox').fill('xyzzy');
      await page.getByText('Nothing found').waitFor();
    });

    it('has its lists of pages and headings on a phone, also without JavaScript', async () => {
      const page = await browser.open(`${url}docs/find.html`, { viewport: NARROW, javaScriptEnabled: false });
      expect(await page.getByRole('searchbox').count()).to.equal(0);
      await page.getByRole('button', { name: 'Pages' }).click();
      const links = page.getByRole('navigation', { name: 'Pages' });
      await links.getByRole('link', { name: 'nearest' }).click();
      await page.waitForURL(`${url}docs/nearest.html`);
      await page.getByRole('button', { name: 'Headings' }).click();
      await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').first().click();
      expect(page.url()).to.include('#');
    });

    it('closes the list of headings on the way to one', async () => {
      const page = await browser.open(`${url}docs/find.html`, { viewport: NARROW });
      await page.getByRole('button', { name: 'Headings' }).click();
      await page.getByRole('link', { name: 'Follow the list' }).click();
      await page.getByRole('navigation', { name: 'On this page' }).waitFor({ state: 'hidden' });
      expect(await page.getByRole('heading', { name: 'Follow the list' }).isVisible()).to.equal(true);
    });
  });
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, match]) => match ?? []);
}

async function searchIn(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('--rate-limit');
  await page.getByRole('search').getByRole('link').first().waitFor();
}

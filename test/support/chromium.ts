/** Pages of a test in a headless Chromium, side by side in one window. Knows nothing of what they show. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

export interface Page {
  readonly html: string;
  /** What follows the path in its URL. */
  readonly query?: string;
}

/** Each page tells what it shows. Its own pauses are ten times shorter; those of the browser are what they are. */
const SCRIPT = `<script>{
  const wait = setTimeout;
  window.setTimeout = (run, ms, ...args) => wait(run, ms / 10, ...args);
  setInterval(() => fetch(location.pathname, { method: 'POST', body: document.body.innerText }), 200);
}</script>`;

export class Chromium {
  readonly #pages: readonly Page[];
  readonly #texts: string[];
  readonly #server: Server;
  #browser: ChildProcess | undefined;

  constructor(pages: readonly Page[]) {
    this.#pages = pages;
    this.#texts = pages.map(() => '');
    this.#server = createServer((incoming, response) => void this.#answer(incoming, response));
  }

  /** `profile`: the path of a folder that it makes. */
  async start(profile: string): Promise<void> {
    await listen(this.#server, '127.0.0.1', 0);
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
    this.#browser = spawn('chromium', [...flags, url], { stdio: 'ignore' });
    process.once('exit', this.#endWithUs);
  }

  /** The lines that a page shows, as it told last. */
  linesOf(page: number): string[] {
    return this.#texts[page]!.split('\n').filter((line) => line !== '');
  }

  async stop(): Promise<void> {
    if (this.#browser !== undefined && this.#browser.exitCode === null) {
      this.#browser.kill('SIGTERM');
      await once(this.#browser, 'close');
    }
    process.off('exit', this.#endWithUs);
    this.#server.closeAllConnections();
    this.#server.close();
  }

  readonly #endWithUs = (): void => void this.#browser?.kill('SIGKILL');

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url!, 'http://localhost');
    const page = this.#pages[Number(pathname.slice(1))];
    if (incoming.method === 'POST') {
      this.#texts[Number(pathname.slice(1))] = await text(incoming);
      response.end();
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    const frames = this.#pages.map(({ query = '' }, index) => `<iframe src="/${index}?${query}"></iframe>`);
    if (pathname === '/') response.end(frames.join(''));
    else if (page === undefined) response.writeHead(404).end();
    else response.end(page.html + SCRIPT);
  }
}

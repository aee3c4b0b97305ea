/**
 * One page in a headless Chromium, which a test drives and watches by the DevTools protocol over pipes. The browser finds
 * no host but 127.0.0.1. Knows nothing of what the page shows.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

export class BrowserPage {
  /** The addresses of all requests so far. */
  readonly requested: string[] = [];
  /** What the browser complains about: errors of scripts, and what a policy has refused. */
  readonly complaints: string[] = [];
  readonly #browser: ChildProcess;
  readonly #calls = new Map<number, (message: Message) => void>();
  readonly #password: string | undefined;
  #lastId = 0;
  #sessionId: string | undefined;
  #rest = '';

  /** `profile`: the path of a folder that it makes. `password`: what is typed when the browser asks for one. */
  static async open(profile: string, password?: string): Promise<BrowserPage> {
    const page = new BrowserPage(profile, password);
    const { targetId } = await page.#call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await page.#call('Target.attachToTarget', { targetId, flatten: true });
    page.#sessionId = sessionId as string;
    for (const domain of ['Network', 'Page', 'Runtime', 'Log']) await page.#call(`${domain}.enable`);
    await page.#call('Fetch.enable', { handleAuthRequests: true });
    return page;
  }

  private constructor(profile: string, password: string | undefined) {
    this.#password = password;
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
    const quiet = ['--disable-background-networking', '--no-first-run'];
    const hosts = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
    this.#browser = spawn('chromium', [...flags, ...quiet, hosts, '--remote-debugging-pipe'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    process.once('exit', this.#endWithUs);
    (this.#browser.stdio[4] as Readable)
      .setEncoding('utf8')
      .on('data', (text: string) => this.#receive(text));
  }

  async goTo(url: string): Promise<void> {
    await this.#call('Page.navigate', { url });
  }

  /** The value of an expression in the page, as JSON has it. Rejects with what the page throws. */
  async valueOf(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#call('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { readonly value?: unknown }).value;
  }

  async close(): Promise<void> {
    if (this.#browser.exitCode === null) {
      this.#browser.kill('SIGTERM');
      await once(this.#browser, 'close');
    }
    process.off('exit', this.#endWithUs);
  }

  readonly #endWithUs = (): void => void this.#browser.kill('SIGKILL');

  #call(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#lastId;
    const sessionId = this.#sessionId;
    const message = { id, method, params, ...(sessionId !== undefined && { sessionId }) };
    (this.#browser.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => {
      this.#calls.set(id, ({ result = {}, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  }

  #receive(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop()!;
    for (const each of messages) this.#take(JSON.parse(each) as Message);
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message;
    if (id !== undefined) {
      this.#calls.get(id)?.(message);
      this.#calls.delete(id);
    }
    const { requestId, request, entry } = params as {
      readonly requestId?: string;
      readonly request?: { readonly url: string };
      readonly entry?: { readonly level: string; readonly text: string };
    };
    if (method === 'Network.requestWillBeSent') this.requested.push(request!.url);
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
    if (method === 'Log.entryAdded' && entry!.level === 'error') this.complaints.push(entry!.text);
    if (method === 'Fetch.requestPaused') void this.#call('Fetch.continueRequest', { requestId });
    if (method === 'Fetch.authRequired')
      void this.#call('Fetch.continueWithAuth', {
        requestId,
        authChallengeResponse:
          this.#password === undefined
            ? { response: 'CancelAuth' }
            : { response: 'ProvideCredentials', username: 'any', password: this.#password },
      });
  }
}

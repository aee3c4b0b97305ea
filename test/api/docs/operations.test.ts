/**
 * Every operation that a service describes, as its examples make it: the service takes each example, and each answer is
 * as the description says. An operation, a status or a media type that is not asked for here fails.
 */

import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { BAN_ID, ID, JOIN_CODE } from '../../../src/api/docs/openapi/examples.ts';
import { encodeRecord } from '../../../src/registry/server-history/record-text.ts';
import { recordOfBlock } from '../../../src/registry/server-history/server-record.ts';
import type { Service } from '../../../src/service/service.ts';
import { ApiDescription } from '../../support/api-description.ts';
import { ask, type AskOptions, type TestAnswer } from '../../support/ask.ts';
import { EventParser, type ServerSentEvent } from '../../support/event-parser.ts';
import { ADMIN_KEY } from '../../support/moderated-registry.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { HEADER } from '../../support/use-data-files.ts';
import { useDirectory } from '../../support/use-directory.ts';

const SERVICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a plain service': {},
  'a service with a key': { GSLS_KEY: 'key', GSLS_ADMIN_KEY: ADMIN_KEY },
  'a service with everything that adds to answers': {
    GSLS_ADMIN_KEY: ADMIN_KEY,
    GSLS_ALLOW_UNLISTED: 'true',
    GSLS_PAGE_REDIRECT: 'true',
    GSLS_VERIFY: 'tcp',
    GSLS_UNVERIFIED: 'show',
    GSLS_REPORT_REASONS: 'spam,cheating',
    GSLS_RATE_LIMIT:
      'broadcast=1000/h,ping=1000/h,remove=1000/h,list=1000/h,join=1000/h,doctor=1000/h,report=1000/h',
  },
};

const BLOCK = Math.floor(Date.now() / 600_000);
const HISTORY = encodeRecord(recordOfBlock(BLOCK, 10 * BLOCK, { seen: 1, total: 5, peak: 5 }));
/** The game server of the examples was listed before the service started. */
const DATA_FILE = `${HEADER}{"is":"left","id":"histories-kept-0","version":0,"parts":[["${ID}","${Buffer.from(HISTORY, 'latin1').toString('base64')}"]]}\n`;

/** Asks as the examples say, with the ids that the service has given out in the place of those of the examples. */
class Caller {
  readonly description: ApiDescription;
  readonly #service: Service;
  readonly #key: string | undefined;
  /** By what the examples have. */
  readonly ids = new Map<string, string>();
  /** What was asked and answered. */
  readonly seen = new Set<string>();

  constructor(service: Service, description: ApiDescription, key: string | undefined) {
    this.#service = service;
    this.description = description;
    this.#key = key;
  }

  /** Checks the answer, and notes that there was one. */
  async call(
    name: string,
    example?: string,
    options: AskOptions & { query?: string } = {},
  ): Promise<TestAnswer> {
    const { path, body } = this.description.exampleOf(name, example);
    const [method] = name.split(' ');
    const target = this.#withIds(path) + (options.query ?? '');
    const answer = await ask(this.#service, `${method} ${target}`, {
      ...options,
      ...(body !== undefined && { body: this.#withIds(JSON.stringify(body)) }),
      headers: { ...this.authorizationFor(name), ...options.headers },
    });
    this.description.check(name, answer);
    const type = answer.text === '' ? 'no body' : String(answer.headers['content-type']).split(';')[0];
    this.seen.add(`${name} ${answer.status} ${type}`);
    return answer;
  }

  authorizationFor(name: string): { Authorization?: string } {
    const key = name.includes('/admin') ? ADMIN_KEY : this.#key;
    return key === undefined ? {} : { Authorization: `Bearer ${key}` };
  }

  #withIds(text: string): string {
    let replaced = text;
    for (const [example, real] of this.ids)
      replaced = replaced.replaceAll(example, real).replaceAll(encodeURIComponent(example), real);
    return replaced;
  }

  /** What the document has, and was neither asked for nor answered. */
  missing(): readonly string[] {
    return [...this.description.operations.keys()].flatMap((name) =>
      this.description.outcomesOf(name).statuses.flatMap((status) => {
        const types = this.description.mediaTypesOf(name, status);
        return (types.length === 0 ? ['no body'] : types)
          .map((type) => `${name} ${status} ${type}`)
          .filter((each) => !this.seen.has(each));
      }),
    );
  }
}

/** The first event of a stream of changes, and the answer that has it. */
async function firstEventOf(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly answer: Response; readonly data: unknown }> {
  const asked = new AbortController();
  const answer = await fetch(`${url}/changes`, {
    headers: { ...headers, Accept: 'text/event-stream', 'Accept-Encoding': 'identity' },
    signal: asked.signal,
  });
  const events: ServerSentEvent[] = [];
  const parser = new EventParser((event) => events.push(event));
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  while (events.length === 0) parser.push((await reader.read()).value!);
  asked.abort();
  return { answer, data: JSON.parse(events[0]!.data) };
}

for (const [what, environment] of Object.entries(SERVICES))
  describe(`the operations of ${what}`, () => {
    const newPath = useDirectory();
    let service: Service;
    let caller: Caller;
    const { GSLS_KEY: key } = environment;
    const isUnlisted = environment['GSLS_ALLOW_UNLISTED'] !== undefined;
    const isReported = environment['GSLS_REPORT_REASONS'] !== undefined;
    const isModerated = environment['GSLS_ADMIN_KEY'] !== undefined;

    before(async () => {
      const path = newPath();
      await writeFile(path, DATA_FILE);
      service = await startTestService({ GSLS_DATA_FILE: path, ...environment });
      const headers = key === undefined ? {} : { Authorization: key };
      caller = new Caller(service, await ApiDescription.of(service, { headers }), key);
    });
    after(() => service.close());

    it('tell the history of a game server, also when it has left', async () => {
      const { headers } = await caller.call('GET /servers/{id}/history');
      await caller.call('GET /servers/{id}/history', undefined, {
        headers: { 'If-None-Match': headers.etag! },
      });
    });

    it('list game servers and let them stay', async () => {
      await caller.call('POST /broadcast', 'details');
      const { body } = await caller.call('POST /broadcast', 'plain', {
        headers: { 'Idempotency-Key': '"a"' },
      });
      caller.ids.set(ID, body.server_id!);
      await caller.call('POST /ping', 'plain');
      await caller.call('POST /ping', 'details');
      await caller.call('GET /ping');
      await caller.call('POST /doctor');
      await caller.call('GET /ping', undefined, { query: '&tags=a,b&password=true&map=x' });
    });

    if (isUnlisted)
      it('find an unlisted game server by its code', async () => {
        const { headers } = await caller.call('POST /broadcast', 'unlisted');
        caller.ids.set(JOIN_CODE, String(headers['server-join-code']));
        await caller.call('GET /join/{code}');
      });

    it('show what is listed', async () => {
      const paths = ['/', '/servers', '/stats', '/history', '/openapi.json', '/docs', '/browse'];
      for (const name of paths.map((path) => `GET ${path}`)) {
        const { headers } = await caller.call(name);
        await caller.call(name, undefined, { headers: { 'If-None-Match': headers.etag! } });
        await caller.call(name, undefined, {
          headers: { 'Accept-Encoding': 'gzip', 'X-Request-Id': 'mine' },
        });
      }
      for (const path of ['/servers/{id}', '/servers/{id}/badge.svg', '/changes', '/health', '/metrics'])
        await caller.call(`GET ${path}`);
    });

    it('answer a query as its parameters say', async () => {
      const query =
        '?q=frankfurt&players=1..&map!=a,b&tags=ranked&meta.level=5&sort=-players,name&limit=1&include=meta';
      const { body } = await caller.call('GET /servers', undefined, { query });
      expect(body.servers).to.have.length(1);
      const { headers } = await caller.call('GET /servers', undefined, { query: '?limit=1' });
      expect(headers['link']).to.include('rel="next"');
      await caller.call('GET /stats', undefined, { query: '?map=de_*&password=false' });
      await caller.call('GET /history', undefined, { query: '?step=hour&from=2026-11-22&to=4000000000' });
    });

    if (environment['GSLS_PAGE_REDIRECT'] !== undefined)
      it('send a browser to the page', async () => {
        await caller.call('GET /', undefined, { headers: { Accept: 'text/html,*/*;q=0.8' } });
      });

    it('tell what has changed, as a stream too', async () => {
      const { text } = await caller.call('GET /changes');
      const { tag } = JSON.parse(text) as { tag: string };
      await caller.call('GET /changes', undefined, { query: `?since=${tag}` });
      const { answer, data } = await firstEventOf(service.url, caller.authorizationFor('GET /changes'));
      const streamed = { status: answer.status, headers: Object.fromEntries(answer.headers) };
      caller.description.check('GET /changes', { ...streamed, bytes: Buffer.alloc(0) });
      expect(caller.description.problems({ $ref: '#/components/schemas/ChangesEvent' }, data)).to.equal('');
      caller.seen.add('GET /changes 200 text/event-stream');
    });

    it('serve the files of their pages', async () => {
      const pages: Readonly<Record<string, readonly string[]>> = {
        docs: ['swagger-ui.css'],
        browse: ['embed.js', 'LICENSES.txt'],
        ...(isModerated && { desk: ['start.js'] }),
      };
      for (const [page, [example, ...further]] of Object.entries(pages)) {
        // Also the link of an earlier release to a server, and the page of the server.
        if (page === 'browse') {
          const server = caller.ids.get(ID)!;
          await caller.call('GET /browse', undefined, { query: `?server=${server}` });
          caller.ids.set(example!, server);
          await caller.call('GET /browse/{file}');
        }
        const {
          text,
          headers: { etag },
        } = await caller.call(`GET /${page}`);
        const loaded = [...text.matchAll(new RegExp(`(?:href|src)="(?:\\./)?${page}/([^"?]+\\.\\w+)"`, 'g'))];
        if (page === 'desk')
          await caller.call('GET /desk', undefined, { headers: { 'If-None-Match': etag! } });
        const files = [...loaded.map(([, file]) => file!), ...further];
        for (const file of page === 'browse' ? [...files, example!] : files) {
          caller.ids.set(example!, file);
          const { headers } = await caller.call(`GET /${page}/{file}`);
          await caller.call(`GET /${page}/{file}`, undefined, {
            headers: { 'If-None-Match': headers.etag! },
          });
        }
      }
    });

    it('answer HEAD as GET, without a body', async () => {
      for (const name of caller.description.operations.keys()) {
        const path = caller.description.exampleOf(name).path;
        const answer = await ask(service, `HEAD ${path}`, { headers: caller.authorizationFor(name) });
        if (answer.status === 405 || answer.status === 404) continue;
        caller.description.check(name, answer, 'HEAD');
      }
    });

    if (isModerated)
      it('moderate', async () => {
        const { text } = await caller.call('POST /admin/bans', 'name');
        await caller.call('POST /admin/bans', 'network');
        caller.ids.set(BAN_ID, (JSON.parse(text) as { ban: string }).ban);
        const entries = await caller.call('GET /admin/servers', undefined, { query: '?limit=1' });
        const { cursor } = JSON.parse(entries.text) as { cursor: string };
        await caller.call('GET /admin/servers', undefined, { query: `?limit=1000&cursor=${cursor}` });
        await caller.call('GET /admin/me');
        await caller.call('POST /admin/preview');
        await caller.call('GET /admin/servers/{id}');
        await caller.call('GET /admin/bans');
        await caller.call('DELETE /admin/bans/{ban}', undefined, { query: '?author=Ann' });
        const labelled = await caller.call('POST /admin/labels');
        caller.ids.set(BAN_ID, (JSON.parse(labelled.text) as { rule: string }).rule);
        await caller.call('GET /admin/labels');
        await caller.call('GET /servers');
        await caller.call('GET /admin/servers/{id}');
        await caller.call('DELETE /admin/labels/{rule}');
        if (isReported) {
          await caller.call('POST /report');
          await caller.call('GET /admin/reports');
          await caller.call('GET /admin/servers/{id}');
          await caller.call('DELETE /admin/reports/{id}');
        }
        await caller.call('DELETE /admin/servers/{id}');
        await caller.call('GET /admin/audit');
        const { body } = await caller.call('POST /broadcast', 'plain');
        caller.ids.set(ID, body.server_id!);
      });

    it('let a game server leave', async () => {
      await caller.call('POST /remove');
    });

    it('are all of those that the service describes', () => {
      expect(caller.missing()).to.deep.equal([]);
    });
  });

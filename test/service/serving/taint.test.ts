/** Twenty registries with marks of their own: no answer of one, and nothing of its, has a mark of another. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sha256Of } from '../../../src/api/http/key-ring.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, type AskOptions, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { LogRecord } from '../../support/log-record.ts';
import { useRedis } from '../../support/redis-server.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

const REGISTRIES = 20;
/** The mark of a registry is a word that no other text has. */
const markOf = (n: number): string => `mark${String.fromCharCode(97 + n)}qz`;
const keyOf = (n: number): string => `the key of ${markOf(n)}`;
const ALL = Array.from({ length: REGISTRIES }, (_, n) => n);

for (const kind of ['memory', 'Redis'] as const)
  describe(`twenty registries in ${kind}`, function () {
    this.timeout(120_000);
    const newPath = useDirectory();
    const redis = kind === 'Redis' ? useRedis() : undefined;
    const log = new LogRecord();
    let service: Service;
    const facts = new Map<
      number,
      Readonly<Record<'id' | 'token' | 'code' | 'cursor' | 'adminCursor' | 'tag' | 'ban', string>>
    >();

    const at = (n: number, request: string, options: AskOptions = {}): Promise<TestAnswer> => {
      const [method, path] = request.split(' ') as [string, string];
      const headers = { Authorization: `Bearer ${keyOf(n)}`, ...options.headers };
      return ask(service, `${method} /${markOf(n)}${path}` as 'GET /', { ...options, headers });
    };
    const broadcast = (n: number, name: string, more: object = {}, headers: Record<string, string> = {}) =>
      at(n, 'POST /broadcast', {
        body: aBroadcast({ server_name: name, server_host: `${markOf(n)}.example`, map: markOf(n), ...more }),
        headers,
      });

    before(async () => {
      const path = newPath();
      writeFileSync(
        path,
        JSON.stringify({
          'allow-unlisted': true,
          protocols: 'luanti',
          'public-read': false,
          registries: Object.fromEntries(ALL.map((n) => [markOf(n), { title: `Title ${markOf(n)}` }])),
          keys: ALL.map((n) => ({
            name: `key of ${markOf(n)}`,
            sha256: sha256Of(keyOf(n)),
            may: ['announce', 'read', 'moderate'],
            registries: [markOf(n)],
          })),
        }).replace('"protocols":"luanti",', ''),
      );
      service = await startTestService(
        { GSLS_CONFIG: path, ...(redis && { GSLS_REDIS: redis.url }) },
        log.logger,
      );
      for (const n of ALL) {
        const mark = markOf(n);
        const listed = await broadcast(
          n,
          `${mark} one`,
          {},
          { 'Server-Token': 'claim', 'Idempotency-Key': 'same-key-of-all' },
        );
        expect(listed.status, listed.text).to.equal(200);
        await broadcast(n, `${mark} two`);
        const unlisted = await broadcast(
          n,
          `${mark} hidden`,
          { unlisted: true },
          { 'Server-Token': 'claim' },
        );
        const ban = await at(n, 'POST /admin/bans', {
          body: {
            name: `spam of ${mark}*`,
            reason: `a reason of ${mark}`,
            author: `author of ${mark}`,
          },
        });
        const page = await at(n, 'GET /servers?limit=1');
        const adminPage = await at(n, 'GET /admin/servers?limit=1');
        const changes = await at(n, 'GET /changes');
        facts.set(n, {
          id: listed.body.server_id!,
          token: String(listed.headers['server-token']),
          code: String(unlisted.headers['server-join-code']),
          cursor: String((page.body as { next?: string }).next),
          adminCursor: String((adminPage.body as { cursor?: string }).cursor),
          tag: String((changes.body as { tag?: string }).tag),
          ban: String((ban.body as { ban?: string }).ban),
        });
      }
    });
    after(() => service.close());

    const PATHS = [
      '/',
      '/health',
      '/servers',
      '/servers?q=mark',
      '/servers?limit=1',
      '/servers?sort=nonsense',
      '/servers/nobody',
      '/stats',
      '/changes',
      '/changes?since=nonsense',
      '/history',
      '/join/AAAA-AAAA',
      '/browse',
      '/browse?view=overview',
      '/browse/nobody',
      '/openapi.json',
      '/docs',
      '/nothing',
      '/admin/bans',
      '/admin/audit',
      '/admin/servers',
    ];

    it('have no mark of another in any answer', async () => {
      for (const n of ALL) {
        const { id, code } = facts.get(n)!;
        const own = [
          `/servers/${id}`,
          `/servers/${id}/badge.svg`,
          `/servers/${id}/history`,
          `/browse/${id}`,
          `/join/${code}`,
        ];
        for (const path of [...PATHS, ...own])
          for (const accept of ['application/json', 'text/html']) {
            const { text, rawHeaders } = await at(n, `GET ${path}`, { headers: { Accept: accept } });
            const marks = new Set(`${rawHeaders.join('\n')}\n${text}`.match(/mark[a-t]qz/g) ?? []);
            marks.delete(markOf(n));
            expect([...marks], `${markOf(n)} ${path}`).to.deep.equal([]);
          }
      }
    });

    it('know no id, token, code, cursor, tag, ban or key of another', async () => {
      for (const n of ALL) {
        const other = (n + 7) % REGISTRIES;
        const { id, token, code, cursor, adminCursor, tag, ban } = facts.get(other)!;
        const codeOf = async (request: string, options?: AskOptions): Promise<unknown> => {
          const { body, status } = await at(n, request, options);
          return body.code ?? status;
        };
        expect(await codeOf(`GET /servers/${id}`)).to.equal('unknown_server');
        expect(await codeOf(`GET /join/${code}`)).to.equal('unknown_join_code');
        expect(await codeOf(`GET /servers?limit=1&cursor=${encodeURIComponent(cursor)}`)).to.equal(
          'invalid_cursor',
        );
        const ownCursor = encodeURIComponent(facts.get(n)!.cursor);
        expect(await codeOf(`GET /servers?limit=1&cursor=${ownCursor}`)).to.equal(200);
        const adminPage = 'GET /admin/servers?limit=1&cursor=';
        expect(await codeOf(adminPage + encodeURIComponent(adminCursor))).to.equal('invalid_cursor');
        expect(await codeOf(adminPage + encodeURIComponent(facts.get(n)!.adminCursor))).to.equal(200);
        const since = await at(n, `GET /changes?since=${encodeURIComponent(tag)}`);
        expect((since.body as { reset?: boolean; full?: boolean }).reset ?? true).to.equal(true);
        expect(await codeOf(`DELETE /admin/bans/${ban}`, { body: { author: 'x' } })).to.equal('unknown_ban');
        const body = aBroadcast({ server_id: facts.get(n)!.id, server_host: `${markOf(n)}.example` });
        expect(await codeOf('POST /ping', { body, headers: { 'Server-Token': token } })).to.equal(
          'not_owner',
        );
        const foreign = { headers: { Authorization: `Bearer ${keyOf(other)}` } };
        for (const path of ['/', '/servers', '/browse', '/changes', '/admin/bans', '/nothing'])
          expect(await codeOf(`GET ${path}`, foreign), path).to.equal('not_allowed');
      }
      const ids = ALL.map((n) => facts.get(n)!.id);
      const tags = ALL.map((n) => facts.get(n)!.tag);
      expect([new Set(ids).size, new Set(tags).size]).to.deep.equal([REGISTRIES, REGISTRIES]);
    });

    it('have log lines and metrics of their own', async () => {
      const { text } = await ask(service, 'GET /metrics', { headers: { Authorization: keyOf(0) } });
      expect(text).to.not.match(/mark[a-t]qz/);
      for (const line of log.lines) {
        const { registry, code } = line as unknown as { registry?: string; code?: string };
        // It names the key, and the log is the operator's.
        if (code === 'not_allowed') continue;
        const marks = new Set(JSON.stringify(line).match(/mark[a-t]qz/g) ?? []);
        if (registry !== undefined) marks.delete(registry);
        if (registry !== undefined) expect([...marks], JSON.stringify(line)).to.deep.equal([]);
      }
    });
  });

/**
 * What moderators do over HTTP. The registry is played here: how bans are kept and applied is tested with registries.
 */

import { expect } from 'chai';
import { ServiceError } from '../../../src/model/service-error.ts';
import { MOST_BANS, NO_DECISIONS } from '../../../src/registry/decisions/decisions.ts';
import { aBan } from '../../support/a-ban.ts';
import { ask, expectError, type AskOptions, type TestAnswer } from '../../support/ask.ts';
import { ADMIN_KEY, useModeratedService } from '../../support/moderated-registry.ts';

type Body = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

function rowsOf(body: object): readonly Row[] {
  return (body as { readonly servers: readonly Row[] }).servers;
}

const DAY_MS = 86_400_000;

describe('the moderation over HTTP', () => {
  const service = useModeratedService();
  const { registry } = service;

  async function admin(
    call: string,
    options: AskOptions = {},
  ): Promise<TestAnswer & { readonly body: Body }> {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, ...options.headers };
    return (await ask(service, call, { ...options, headers })) as TestAnswer & { readonly body: Body };
  }

  async function addBan(fields: object): Promise<Body> {
    const answer = await admin('POST /admin/bans', { body: { reason: 'spam', ...fields } });
    expect(answer.status).to.equal(201);
    return answer.body;
  }

  describe('a new ban', () => {
    it('is answered with its fields, and the number of entries that match now', async () => {
      for (const name of ['Best CASINO', 'casino 2', 'Frankfurt']) registry.add({ name });
      const body = await addBan({ name: '*casino*' });
      expect(body['ban']).to.match(/^[\da-f]{16}$/);
      expect(body['created_at']).to.match(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
      const { ban, created_at: _, ...others } = body;
      expect(others).to.deep.equal({
        status: 'success',
        reason: 'spam',
        mode: 'refuse',
        author: '',
        name: '*casino*',
        matches: 2,
      });
      expect(registry.moderation.decided.bans.map((each) => each.ban)).to.deep.equal([ban]);
    });

    it('takes every field, and addresses in any form', async () => {
      const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
      const fields = {
        id: 'a',
        address: '2001:DB8:0::/48',
        host: '*.Example',
        name: 'ＣＡＳＩＮＯ*',
        reason: 'spam, again',
        mode: 'silent',
        author: 'Ann',
        expires_at: expiresAt,
      };
      const body = await addBan(fields);
      expect(body).to.include({ ...fields, address: '2001:db8::/48', matches: 0 });
      expect(registry.moderation.decided.bans[0]).to.include({
        mode: 'silent',
        expiresAt: Date.parse(expiresAt),
      });
    });

    const REFUSED: Readonly<Record<string, readonly [fields: object, message: string]>> = {
      'no pattern': [{}, 'id, address, host, name are missing: at least one of them is needed'],
      'an empty name': [{ name: '' }, 'name must be a text with * for any characters and ? for one'],
      'a name of every entry': [{ name: '*' }, 'name must be a text with *'],
      'a host of every entry': [{ host: '?*' }, 'host must be a text with *'],
      'a name without anything visible': [{ name: 'a\u200b*' }, 'name must be a text with *'],
      'a long name': [{ name: 'x'.repeat(129) }, 'name must be a text with *'],
      'an empty id': [{ id: '' }, 'id must be the id of an entry'],
      'no address': [{ address: 'example.com' }, 'address must be an IP address, or a network'],
      'every address of IPv4': [{ address: '0.0.0.0/0' }, 'and not one of every address'],
      'every address of IPv6': [{ address: '::/0' }, 'and not one of every address'],
      'bits behind the prefix': [{ address: '10.1.2.3/8' }, 'without bits set behind its prefix'],
      'no reason': [{ name: 'a', reason: undefined }, 'reason is missing'],
      'an empty reason': [{ name: 'a', reason: '' }, 'reason must be a string of 1 to 256 characters'],
      'a reason that turns the terminal': [{ name: 'a', reason: '\u001b[2J' }, 'reason must be a string'],
      'another mode': [{ name: 'a', mode: 'loud' }, 'mode must be refuse or silent'],
      'a long author': [{ name: 'a', author: 'x'.repeat(65) }, 'author must be a string of 1 to 64'],
      'a time that is over': [{ name: 'a', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be a time'],
      'a time without a zone': [
        { name: 'a', expires_at: '2099-01-01T00:00:00' },
        'expires_at must be a time',
      ],
      'a day that there is not': [{ name: 'a', expires_at: '2099-02-30T00:00:00Z' }, 'expires_at must be a'],
      'a time that is none': [{ name: 'a', expires_at: 'tomorrow' }, 'expires_at must be a time'],
      'a number for a time': [{ name: 'a', expires_at: 4_102_444_800_000 }, 'expires_at must be a time'],
      'a misspelt pattern': [{ id: 'a', nmae: 'b*' }, '"nmae" is no field of a ban'],
    };
    for (const [what, [fields, message]] of Object.entries(REFUSED))
      it(`is refused with ${what}`, async () => {
        const answer = await admin('POST /admin/bans', { body: { reason: 'spam', ...fields } });
        expectError(answer, 'invalid_request');
        expect(answer.body['error']).to.include(message);
        expect(registry.moderation.decided.bans).to.deep.equal([]);
      });

    it('is told all its wrong fields at once', async () => {
      const answer = await admin('POST /admin/bans', { body: { host: '*', mode: 1, port: 7777 } });
      expectError(answer, 'invalid_request');
      expect(answer.body.details!.map(({ field }) => field)).to.deep.equal([
        'host',
        'reason',
        'mode',
        '"port"',
      ]);
    });

    it('is refused when there are 10,000', async () => {
      const bans = Array.from({ length: MOST_BANS }, (_, i) => aBan({ id: `${i}` }));
      registry.moderation.decided = { ...NO_DECISIONS, bans };
      const answer = await admin('POST /admin/bans', { body: { reason: 'spam', id: 'a' } });
      expectError(answer, 'too_many_bans');
    });
  });

  it('lists the bans in the order in which they were made', async () => {
    const first = await addBan({ name: 'a*' });
    const second = await addBan({ id: 'b', expires_at: '2099-01-01T01:00:00+01:00' });
    const { body } = await admin('GET /admin/bans');
    const [{ matches: _, status: __, ...one }, { matches: ___, status: ____, ...two }] = [first, second];
    expect(body).to.deep.equal({ status: 'success', bans: [one, two], count: 2 });
    expect(two['expires_at']).to.equal('2099-01-01T00:00:00.000Z');
  });

  it('removes a ban, and knows no ban that is not there', async () => {
    const { ban } = await addBan({ name: 'a*' });
    for (const [author, field] of [
      ['', 'author'],
      ['x'.repeat(65), 'author'],
    ] as const) {
      const refused = await admin(`DELETE /admin/bans/${String(ban)}?author=${author}`);
      expectError(refused, 'invalid_request');
      expect(refused.body.details![0]!.field).to.equal(field);
    }
    const { text } = await admin(`DELETE /admin/bans/${String(ban)}?author=Bob%20B`);
    expect(text).to.equal('{"status":"success"}');
    expect(registry.moderation.decided.audit.at(-1)).to.include({ author: 'Bob B', action: 'ban_removed' });
    for (const unknown of [String(ban), '%7Bban%7D', '{ban}', 'a%2Fb'])
      expectError(await admin(`DELETE /admin/bans/${unknown}`), 'unknown_ban');
    for (const broken of ['%', '%zz', '%E0%A4%A'])
      expectError(await admin(`DELETE /admin/bans/${broken}`), 'invalid_request');
  });

  it('tells who did what, the latest first', async () => {
    const entry = registry.add({ name: 'Best casino' });
    const { ban } = await addBan({ name: 'a*', author: 'Ann' });
    await admin(`DELETE /admin/bans/${String(ban)}`, { body: { author: 'Bob' } });
    await admin(`DELETE /admin/servers/${entry.id}?author=Cid`);
    const { body } = await admin('GET /admin/audit');
    const lines = body['audit'] as Body[];
    expect(body['status']).to.equal('success');
    expect(lines.map(({ author, action, from }) => [author, action, from])).to.deep.equal([
      ['Cid', 'server_removed', '127.0.0.1'],
      ['Bob', 'ban_removed', '127.0.0.1'],
      ['Ann', 'ban_added', '127.0.0.1'],
    ]);
    expect(lines[0]!['server']).to.deep.equal({
      id: entry.id,
      host: entry.host,
      name: 'Best casino',
      port: 7777,
      ip: '203.0.113.7',
    });
    expect(lines[2]!['ban']).to.include({ ban, name: 'a*', reason: 'spam' });
    for (const { at } of lines) expect(Date.parse(String(at))).to.be.closeTo(Date.now(), 60_000);
  });

  describe('the entries', () => {
    it('are shown with all that moderators see', async () => {
      registry.add({ isClaimed: true });
      registry.add({ name: 'Best casino', client: '' });
      const { ban } = await addBan({ name: '*casino*', mode: 'silent' });
      const { body } = await admin('GET /admin/servers');
      const common = {
        host: 'game.example.com',
        port: 7777,
        ip: '203.0.113.7',
        players: 3,
        max_players: 16,
      };
      expect(body).to.deep.equal({
        status: 'success',
        servers: [
          {
            id: 'id-0',
            name: 'A server',
            ...common,
            registered_at: '2026-11-22T00:00:00.000Z',
            claimed: true,
            client: '198.51.100.9',
            network: '198.51.100.0/24',
            shown: true,
            refusals: [],
          },
          {
            id: 'id-1',
            name: 'Best casino',
            ...common,
            registered_at: '2026-11-22T00:00:01.000Z',
            claimed: false,
            shown: false,
            hidden_by: 'ban',
            ban,
            refusals: [],
          },
        ],
        count: 2,
        total: 2,
      });
      await admin(`DELETE /admin/bans/${String(ban)}`);
      const { body: without } = await admin('GET /admin/servers');
      expect(rowsOf(without).map(({ shown }) => shown)).to.deep.equal([true, true]);
    });

    it('tell what was refused to the network of their client', async () => {
      registry.add({ client: '127.0.0.1' });
      for (let i = 0; i < 3; i += 1) await ask(service, 'POST /ping', { body: {} });
      await ask(service, 'GET /nothing');
      const { body } = await admin('GET /admin/servers');
      const refusals = rowsOf(body)[0]!['refusals'] as Body[];
      const counts = new Map(refusals.map(({ code, count }) => [code, count]));
      expect(counts.get('invalid_request')).to.be.at.least(3);
      expect(counts.get('not_found')).to.be.at.least(1);
      for (const { at } of refusals) expect(Date.parse(String(at))).to.be.closeTo(Date.now(), 60_000);
    });

    it('come in pages by registration, whatever comes and goes between two of them', async () => {
      const ids = Array.from({ length: 25 }, (_, i) => registry.add({ id: `id-${i}` }).id);
      // In another order than that of registration, and some of one time.
      const twin = { ...registry.listed.get('id-7')!, id: 'id-7b' };
      const all = [...registry.listed.values(), twin].toReversed();
      registry.listed.clear();
      for (const each of all) registry.listed.set(each.id, each);

      const seen: string[] = [];
      let cursor = '';
      for (const expected of [10, 10, 6]) {
        const { body } = await admin(`GET /admin/servers?limit=10${cursor}`);
        const rows = rowsOf(body);
        expect(rows).to.have.length(expected);
        seen.push(...rows.map(({ id }) => id));
        cursor = `&cursor=${String(body['cursor'])}`;
        // The last of a page may be gone when the next page is asked for.
        if (seen.length === 10) registry.listed.delete(seen.at(-1)!);
      }
      expect(cursor).to.equal('&cursor=undefined');
      expect(seen).to.deep.equal([...ids.slice(0, 8), 'id-7b', ...ids.slice(8)]);
    });

    it('are 100 in a page, and 1,000 at most', async () => {
      for (let i = 0; i < 1100; i += 1) registry.add({ id: `id-${i}` });
      for (const [query, length] of [
        ['', 100],
        ['?limit=1', 1],
        ['?limit=1000', 1000],
      ] as const) {
        const { body } = await admin(`GET /admin/servers${query}`);
        expect(body['servers']).to.have.length(length);
        expect(body['count']).to.equal(1100);
      }
      for (const limit of ['0', '1001', 'x', '', '1&limit=2'])
        expectError(await admin(`GET /admin/servers?limit=${limit}`), 'invalid_query');
      for (const cursor of ['', '1', '-1.a'])
        expectError(await admin(`GET /admin/servers?cursor=${cursor}`), 'invalid_cursor');
    });

    it('end with a page that is full, and without a cursor', async () => {
      for (let i = 0; i < 20; i += 1) registry.add();
      const { body } = await admin('GET /admin/servers?limit=20');
      expect(body['servers']).to.have.length(20);
      expect(body).to.not.have.property('cursor');
    });

    it('are removed for good by their ids, once', async () => {
      const { id } = registry.add();
      const { text } = await admin(`DELETE /admin/servers/${id}`);
      expect(text).to.equal('{"status":"success"}');
      expect([...registry.listed]).to.deep.equal([]);
      expectError(await admin(`DELETE /admin/servers/${id}`), 'unknown_server');
      expect(registry.moderation.decided.audit).to.have.length(1);
    });
  });

  it('is unavailable with the registry', async () => {
    registry.failure = new ServiceError('registry_unavailable');
    for (const [call, body] of [
      ['POST /admin/bans', { reason: 'spam', id: 'a' }],
      ['DELETE /admin/bans/a'],
      ['GET /admin/servers'],
      ['DELETE /admin/servers/a'],
    ] as const) {
      const answer = await admin(call, body ? { body } : {});
      expectError(answer, 'registry_unavailable');
      expect(answer.headers['retry-after']).to.match(/^[1-5]$/);
    }
  });

  it('needs the admin key at every path, open ones too', async () => {
    registry.add();
    const { ban } = await addBan({ id: 'a' });
    const calls = [
      'GET /admin/bans',
      'POST /admin/bans',
      `DELETE /admin/bans/${String(ban)}`,
      `DELETE /admin/bans/${String(ban)}?author=a`,
      'DELETE /admin/bans/{ban}',
      'GET /admin/audit',
      'GET /admin/servers',
      'GET /admin/servers?limit=1',
      'DELETE /admin/servers/id-0',
      'DELETE /admin/servers/id%2D0',
      'OPTIONS /admin/servers/id-0',
    ];
    for (const call of calls)
      for (const headers of [{}, { Authorization: 'Bearer other' }])
        expectError(await ask(service, call, { headers }), 'unauthorized');
    expect(registry.moderation.decided.bans).to.have.length(1);
    expect(registry.listed.size).to.equal(1);
  });

  it('takes the methods that it names, and no others', async () => {
    const ALLOWED: Readonly<Record<string, string>> = {
      '/admin/bans': 'GET, POST, OPTIONS',
      '/admin/bans/a': 'DELETE, OPTIONS',
      '/admin/bans/{ban}': 'DELETE, OPTIONS',
      '/admin/audit': 'GET, OPTIONS',
      '/admin/servers': 'GET, OPTIONS',
      '/admin/labels': 'GET, POST, OPTIONS',
      '/admin/labels/a': 'DELETE, OPTIONS',
      '/admin/preview': 'POST, OPTIONS',
      '/admin/me': 'GET, OPTIONS',
      '/admin/servers/a': 'GET, DELETE, OPTIONS',
    };
    for (const [path, allowed] of Object.entries(ALLOWED)) {
      const refused = await admin(`PUT ${path}`);
      expectError(refused, 'method_not_allowed');
      expect(refused.headers['allow']).to.equal(allowed);
      expect((await admin(`OPTIONS ${path}`)).headers['allow']).to.equal(allowed);
    }
    for (const path of [
      '/admin',
      '/admin/',
      '/admin/bans/',
      '/admin/bans/a/b',
      '/admin/servers/',
      '/ADMIN/bans',
    ])
      expectError(await admin(`GET ${path}`), 'not_found');
  });
});

describe('the moderation of a service that keeps its addresses to itself', () => {
  for (const [detail, client, from] of [
    ['masked', '198.51.100.0/24', '127.0.0.0/24'],
    ['none', undefined, undefined],
  ] as const)
    describe(`with --log-addresses ${detail}`, () => {
      const service = useModeratedService({ GSLS_LOG_ADDRESSES: detail });
      const headers = { Authorization: `Bearer ${ADMIN_KEY}` };

      it('shows and keeps no more of them', async () => {
        service.registry.add();
        await ask(service, 'POST /admin/bans', { headers, body: { id: 'a', reason: 'spam' } });
        const { body } = await ask(service, 'GET /admin/servers', { headers });
        expect(rowsOf(body)[0]!['client']).to.equal(client);
        expect(service.registry.moderation.decided.audit[0]!.from).to.equal(from);
      });
    });
});

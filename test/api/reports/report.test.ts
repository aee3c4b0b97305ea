/** What readers report of game servers, and what becomes of it. */

import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';
import { useServices } from '../../support/use-services.ts';

const ADMIN_KEY = 'boss';
const ADMIN = { Authorization: `Bearer ${ADMIN_KEY}` };
const ENVIRONMENT = {
  GSLS_ADMIN_KEY: ADMIN_KEY,
  GSLS_REPORT_REASONS: 'spam,cheating',
  GSLS_TRUST_PROXY: 'loopback',
  GSLS_RATE_LIMIT: 'report=10000/m',
  GSLS_ALLOW_UNLISTED: 'true',
};

interface Reported {
  readonly server: { readonly id: string };
  readonly count: number;
  readonly ban?: string;
  readonly reasons: Readonly<Record<string, number>>;
  readonly notes: readonly { readonly note: string }[];
}

type At = Parameters<typeof ask>[0];

const report = (at: At, from: string, body: object): Promise<TestAnswer> =>
  ask(at, 'POST /report', { body, headers: { 'X-Forwarded-For': from } });

async function reportsAt(at: At): Promise<readonly Reported[]> {
  const { text } = await ask(at, 'GET /admin/reports', { headers: ADMIN });
  return (JSON.parse(text) as { readonly reports: readonly Reported[] }).reports;
}

describe('POST /report', () => {
  const service = useService(ENVIRONMENT);

  it('notes one voice of each network about an entry, whatever it says', async () => {
    const id = await service.broadcast();
    const said = [
      ['198.51.100.1', 'spam'],
      ['198.51.100.200', 'cheating'],
      ['2001:db8:1:2::1', 'spam'],
      ['2001:db8:1:3::9', 'spam'],
      ['203.0.113.5', 'spam'],
    ] as const;
    for (const [from, reason] of said) {
      const { status, text } = await report(service, from, { id, reason });
      expect([status, text]).to.deep.equal([200, '{"status":"success"}']);
    }
    const mine = (await reportsAt(service)).find(({ server }) => server.id === id)!;
    expect([mine.count, mine.reasons]).to.deep.equal([3, { spam: 2, cheating: 1 }]);
    expect(mine.server).to.include({ name: 'A server', port: 7777 });
  });

  it('is refused with what is wrong of it, and notes nothing', async () => {
    const id = await service.broadcast();
    const before = (await reportsAt(service)).length;
    for (const [body, field, message] of [
      [{ id }, 'reason', 'is missing'],
      [{ id, reason: 'boring' }, 'reason', 'must be one of spam, cheating'],
      [{ id: 7, reason: 'spam' }, 'id', 'must be the id of an entry, a string of 1 to 64 characters'],
      [{ id, reason: 'spam', note: 'a' }, 'note', 'is not taken by this service: leave it out'],
    ] as const) {
      const answer = await report(service, '192.0.2.1', body);
      expectError(answer, 'invalid_request');
      expect(answer.body.details).to.deep.equal([{ field, message }]);
    }
    expectError(await report(service, '192.0.2.1', { id: 'none', reason: 'spam' }), 'unknown_server');
    const fromPage = await ask(service, 'POST /report', {
      body: { id, reason: 'spam' },
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expectError(fromPage, 'cross_site');
    expect(await reportsAt(service)).to.have.length(before);
  });

  it('hides nothing by itself, however many report, and is told to nobody else', async () => {
    const id = await service.broadcast();
    for (let n = 0; n < 70; n += 1) await report(service, `10.0.${n}.1`, { id, reason: 'spam' });
    for (const path of [
      '/',
      `/servers/${id}`,
      '/servers?include=meta',
      '/changes',
      '/stats',
      '/metrics',
      '/health',
    ]) {
      const { status, text } = await ask(service, `GET ${path}`);
      expect([path, status]).to.deep.equal([path, 200]);
      if (path !== '/metrics') expect(text, path).to.not.match(/report|"spam"/);
    }
    expect(await service.listed(id)).to.include({ id });
    // 64 at the most: the latest.
    expect((await reportsAt(service))[0]).to.deep.include({ count: 64 });
    const { text } = await ask(service, 'GET /metrics');
    expect(Number(/^gsls_reports_total (\d+)$/m.exec(text)![1])).to.be.at.least(70);
    expectError(await ask(service, 'GET /admin/reports'), 'unauthorized');
    expectError(await ask(service, `DELETE /admin/reports/${id}`), 'unauthorized');
  });

  it('takes an unlisted entry by its id, and tells nothing of it', async () => {
    const id = await service.broadcast({ unlisted: true });
    expect((await report(service, '192.0.2.9', { id, reason: 'spam' })).status).to.equal(200);
    expect((await reportsAt(service)).some(({ server }) => server.id === id)).to.equal(true);
  });
});

describe('reports', () => {
  const services = useServices(() => ENVIRONMENT);

  it('are off without reasons', async () => {
    const service = await services.start({ GSLS_REPORT_REASONS: '' });
    expectError(await ask(service, 'POST /report', { body: { id: 'a', reason: 'spam' } }), 'not_found');
    expectError(await ask(service, 'GET /admin/reports', { headers: ADMIN }), 'not_found');
    const { text } = await ask(service, 'GET /admin/me', { headers: ADMIN });
    expect(JSON.parse(text)).to.deep.include({ reasons: [] });
  });

  it('have notes if the operator wants that, and no text that hides something', async () => {
    const service = await services.start({ GSLS_REPORT_NOTES: 'true' });
    const id = (await ask(service, 'POST /broadcast', { body: aBroadcast() })).body.server_id!;
    const note = '<img src=x onerror=alert(1)> "quoted" 漢字';
    expect((await report(service, '192.0.2.1', { id, reason: 'spam', note })).status).to.equal(200);
    for (const hostile of ['', ' ', 'x'.repeat(161), 'a\u202eb', 'a\u0000b', 'a\nb', ['a']])
      expectError(
        await report(service, '192.0.2.2', { id, reason: 'spam', note: hostile }),
        'invalid_request',
      );
    expect((await reportsAt(service))[0]!.notes.map((each) => each.note)).to.deep.equal([note]);
  });

  it('hide an entry from so many networks on until a moderator looks, never a trusted one', async () => {
    const service = await services.start({ GSLS_REPORT_HIDES: '3' });
    const ids = await Promise.all(
      ['one', 'two'].map(async (server_name) => {
        const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast({ server_name }) });
        return body.server_id!;
      }),
    );
    const [id, trusted] = ids as [string, string];
    await ask(service, 'POST /admin/labels', { headers: ADMIN, body: { id: trusted, label: 'trusted' } });
    const listed = async (): Promise<readonly string[]> =>
      (await ask(service, 'GET /')).body.servers!.map((each) => each.id).toSorted();
    for (const from of ['10.0.0.1', '10.0.0.2', '10.0.1.1'])
      for (const each of ids) await report(service, from, { id: each, reason: 'spam' });
    expect(await listed()).to.deep.equal(ids.toSorted());
    for (const each of ids) await report(service, '10.0.2.1', { id: each, reason: 'cheating' });
    expect(await listed()).to.deep.equal([trusted]);
    // Its game server is not told, and nobody can report what nobody can see.
    const ping = await ask(service, 'POST /ping', {
      body: { ...aBroadcast({ server_name: 'one' }), server_id: id },
    });
    expect(ping.status).to.equal(200);
    expectError(await report(service, '10.0.3.1', { id, reason: 'spam' }), 'unknown_server');
    const mine = (await reportsAt(service)).find(({ server }) => server.id === id)!;
    expect(mine.ban).to.match(/^[\da-f]{16}$/);
    const bans = await ask(service, 'GET /admin/bans', { headers: ADMIN });
    expect(JSON.parse(bans.text).bans[0]).to.include({
      author: '',
      mode: 'silent',
      reason: '3 networks reported it',
    });
    await ask(service, `DELETE /admin/reports/${id}?author=Ann`, { headers: ADMIN });
    expect(await listed()).to.deep.equal(ids.toSorted());
    expectError(await ask(service, `DELETE /admin/reports/${id}`, { headers: ADMIN }), 'unknown_server');
    const audit = JSON.parse((await ask(service, 'GET /admin/audit', { headers: ADMIN })).text).audit as {
      action: string;
      author: string;
    }[];
    expect(audit.slice(0, 2).map(({ action, author }) => [action, author])).to.deep.equal([
      ['reports_dismissed', 'Ann'],
      ['ban_added', ''],
    ]);
    // It begins anew, and is over as well when the ban is lifted.
    for (const from of ['10.0.0.1', '10.0.1.1', '10.0.2.1'])
      await report(service, from, { id, reason: 'spam' });
    expect(await listed()).to.deep.equal([trusted]);
    const [again] = JSON.parse((await ask(service, 'GET /admin/bans', { headers: ADMIN })).text).bans as {
      ban: string;
    }[];
    await ask(service, `DELETE /admin/bans/${again!.ban}?author=Ann`, { headers: ADMIN });
    await report(service, '10.0.0.1', { id, reason: 'spam' });
    expect(await listed()).to.deep.equal(ids.toSorted());
  });

  it('are ten a minute and client, unless the operator says otherwise', async () => {
    const service = await services.start({ GSLS_RATE_LIMIT: '' });
    const id = (await ask(service, 'POST /broadcast', { body: aBroadcast() })).body.server_id!;
    for (let n = 0; n < 10; n += 1)
      expect((await report(service, '192.0.2.1', { id, reason: 'spam' })).status).to.equal(200);
    const refused = await report(service, '192.0.2.1', { id, reason: 'spam' });
    expectError(refused, 'rate_limited');
    expect((await report(service, '192.0.2.2', { id, reason: 'spam' })).status).to.equal(200);
  });
});

/** Moderators whom a proxy has signed in: where its header counts, and where it does not. */

import { expect } from 'chai';
import { Agent } from 'node:http';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { useServices } from '../../support/use-services.ts';

/** The proxy; others come from 127.0.0.1. */
const PROXY = '127.0.0.2';
const SIGNED = { 'X-User': 'Änne B' };
const BAN = { name: 'casino', reason: 'spam', author: 'somebody else' };

describe('--moderator-header', () => {
  const services = useServices(() => ({
    GSLS_OPS_PORT: '0',
    GSLS_MODERATOR_HEADER: 'X-User',
    GSLS_MODERATOR_PROXIES: PROXY,
  }));
  let service: { readonly url: string };
  let ops: { readonly url: string };
  beforeEach(async () => {
    const started = await services.start();
    service = started;
    ops = { url: started.opsUrl! };
  });

  /**
   * Asks the operations port from this address. A header has the bytes of UTF-8, as proxies send them: before a body of
   * text Node would encode it once more.
   */
  async function from(
    localAddress: string,
    call: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
    at = ops,
  ): Promise<TestAnswer> {
    const agent = new Agent({ localAddress });
    const raw = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
    );
    try {
      return await ask(at, call, {
        headers: raw,
        agent,
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      });
    } finally {
      agent.destroy();
    }
  }

  it('lets in whom it names, and the audit has that name and no other', async () => {
    const me = await from(PROXY, 'GET /admin/me', SIGNED);
    expect(JSON.parse(me.text)).to.include({ status: 'success', moderator: 'Änne B' });
    const { text } = await from(PROXY, 'POST /admin/bans', SIGNED, BAN);
    const { ban, author } = JSON.parse(text) as { ban: string; author: string };
    expect(author).to.equal('Änne B');
    await from(PROXY, `DELETE /admin/bans/${ban}?author=nobody`, { 'X-User': 'Bob' });
    const audit = JSON.parse((await from(PROXY, 'GET /admin/audit', SIGNED)).text).audit as {
      author: string;
    }[];
    expect(audit.map((line) => line.author)).to.deep.equal(['Bob', 'Änne B']);
  });

  it('counts from its proxies alone, and at the operations port alone', async () => {
    const answers = await Promise.all([
      from('127.0.0.1', 'GET /admin/bans', SIGNED),
      from('127.0.0.1', 'GET /admin/bans', {
        ...SIGNED,
        'X-Forwarded-For': PROXY,
        Forwarded: `for=${PROXY}`,
      }),
      from('127.0.0.1', 'POST /admin/bans', SIGNED, BAN),
    ]);
    for (const answer of answers) {
      expectError(answer, 'unauthorized');
      expect(answer.text).to.not.include('casino');
    }
    for (const address of [PROXY, '127.0.0.1'])
      expectError(await from(address, 'GET /admin/bans', SIGNED, undefined, service), 'not_found');
  });

  it('names nobody with a name that shows nothing, and only the visible part of another', async () => {
    for (const name of ['', ' ', '\u200b', '\u202e'])
      expectError(await from(PROXY, 'GET /admin/bans', { 'X-User': name }), 'unauthorized');
    const long = await from(PROXY, 'GET /admin/me', { 'X-User': `a\u202eb${'x'.repeat(200)}` });
    const { moderator } = JSON.parse(long.text) as { moderator: string };
    expect(moderator).to.match(/^ab?x+$|^a b?x+$/);
    expect(moderator).to.have.length.at.most(64);
  });

  it('keeps pages of other sites from every write, as the browser has the cookie of the proxy', async () => {
    for (const site of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ])
      for (const call of [
        'POST /admin/bans',
        'POST /admin/labels',
        'POST /admin/preview',
        'DELETE /admin/servers/a',
      ])
        expectError(await from(PROXY, call, { ...SIGNED, ...site }, BAN), 'cross_site');
    const { text } = await from(PROXY, 'GET /admin/bans', SIGNED);
    expect(JSON.parse(text)).to.deep.include({ bans: [] });
  });

  it('opens nothing but what moderators may', async () => {
    const started = await services.start({ GSLS_KEY: 'secret' });
    for (const path of ['/metrics', '/debug/config'])
      expectError(
        await from(PROXY, `GET ${path}`, SIGNED, undefined, { url: started.opsUrl! }),
        'unauthorized',
      );
    expectError(await from(PROXY, 'GET /', SIGNED, undefined, started), 'unauthorized');
  });

  it('leaves keys as they are, and the desk needs one of the two', async () => {
    const keyed = await services.start({ GSLS_ADMIN_KEY: 'boss' });
    const at = { url: keyed.opsUrl! };
    const boss = { Authorization: 'Bearer boss' };
    expect((await from('127.0.0.1', 'GET /admin/bans', boss, undefined, at)).status).to.equal(200);
    expect((await from('127.0.0.1', 'GET /desk', {}, undefined, at)).status).to.equal(200);
    const none = await services.start({
      GSLS_OPS_PORT: '',
      GSLS_MODERATOR_HEADER: '',
      GSLS_MODERATOR_PROXIES: '',
    });
    for (const path of ['/desk', '/desk/start.js', '/admin/me'])
      expectError(await ask(none, `GET ${path}`), 'not_found');
  });
});

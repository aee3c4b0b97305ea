/** Moderation by any of three replicas with one Redis: each tells at once what was decided at another. */

import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { useServices } from '../../support/use-services.ts';

const ADMIN_KEY = 'boss';
const ROUNDS = 10;
/** Redis is soon given up once it is gone. */
const DEADLINES = { ...PATIENT, retryMs: 100 };

needs('redis-server').describe('the moderation by three replicas', () => {
  let redis: RedisServer;
  const services = useServices(() => ({ GSLS_REDIS: redis.url, GSLS_ADMIN_KEY: ADMIN_KEY }));
  let replicas: readonly Service[];
  let turn = 0;

  beforeEach(async () => {
    redis = await startRedisServer();
    replicas = await Promise.all([1, 2, 3].map(() => services.start({}, undefined, DEADLINES)));
  });
  afterEach(() => redis.stop());

  /** To the next replica. */
  async function admin(call: string, body?: object): Promise<TestAnswer> {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
    return ask(replicas[(turn += 1) % replicas.length]!, call, { headers, ...(body && { body }) });
  }

  async function addBan(): Promise<string> {
    const { text } = await admin('POST /admin/bans', { name: 'casino', reason: 'spam' });
    return (JSON.parse(text) as { readonly ban: string }).ban;
  }

  async function bans(): Promise<readonly string[]> {
    const { text } = await admin('GET /admin/bans');
    return (JSON.parse(text) as { readonly bans: readonly { readonly ban: string }[] }).bans.map(
      ({ ban }) => ban,
    );
  }

  async function actions(): Promise<readonly string[]> {
    const { text } = await admin('GET /admin/audit');
    const { audit } = JSON.parse(text) as { readonly audit: readonly { readonly action: string }[] };
    return audit.map(({ action }) => action);
  }

  it('tells the bans and the audit as they were acknowledged just before, by another replica', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const ban = await addBan();
      expect(await bans()).to.deep.equal([ban]);
      await admin(`DELETE /admin/bans/${ban}`);
      expect(await bans()).to.deep.equal([]);
      await addBan().then((another) => admin(`DELETE /admin/bans/${another}`));
      expect(await actions()).to.have.length(4 * round);
    }
  });

  it('tells what was known last while Redis is away, and says so', async () => {
    const ban = await addBan();
    for (const _ of replicas) expect(await bans()).to.deep.equal([ban]);
    await redis.crash();
    for (const [path, known] of [
      ['bans', ban],
      ['audit', 'ban_added'],
    ] as const) {
      const { status, headers, text } = await admin(`GET /admin/${path}`);
      expect([status, headers['warning']]).to.deep.equal([200, '110 - "Response is Stale"']);
      expect(Number(headers['age'])).to.be.at.least(1);
      expect(text).to.include(known);
    }
    expectError(await admin('POST /admin/bans', { name: 'casino', reason: 'spam' }), 'registry_unavailable');
  });
});

/**
 * Finding servers on three replicas with one Redis: every replica answers alike, and with every change acknowledged.
 */

import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { useServices } from '../../support/use-services.ts';

interface Page {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
  readonly next: string | null;
}

const MAPS = ['de_dust2', 'de_inferno', 'cs_office'];

needs('redis-server').describe('finding servers on three replicas', () => {
  const redis = useRedis();
  beforeEach(() => redis.client.flushall());
  const services = useServices(() => ({ GSLS_REDIS: redis.url }));
  let replicas: readonly Service[];
  let turn = 0;

  /** To the next replica. */
  const send = (what: string, body?: object): Promise<TestAnswer> =>
    ask(replicas[(turn += 1) % replicas.length]!, what, body && { body });

  const pageOf = async (path: string): Promise<Page> => JSON.parse((await send(`GET ${path}`)).text) as Page;

  beforeEach(async () => {
    replicas = await Promise.all([1, 2, 3].map(() => services.start()));
  });

  async function broadcast(n: number): Promise<string> {
    const details = { map: MAPS[n % 3], tags: [`t${n % 2}`], meta: { n } };
    const body = aBroadcast({ server_name: `Server ${n}`, server_port: n + 1, players: n % 5, ...details });
    return (await send('POST /broadcast', body)).body.server_id!;
  }

  it('finds what was acknowledged just before, by another replica', async () => {
    for (let n = 0; n < 20; n += 1) {
      const id = await broadcast(n);
      expect((await pageOf(`/servers?id=${id}`)).total).to.equal(1);
      const ping = aBroadcast({
        server_id: id,
        server_port: n + 1,
        map: 'another',
        server_name: `Server ${n}`,
      });
      expect((await send('POST /ping', ping)).status).to.equal(200);
      expect((await pageOf(`/servers?id=${id}&map=another`)).total).to.equal(1);
      const { text } = await send(`GET /servers/${id}`);
      expect(JSON.parse(text)).to.nested.include({ 'server.map': 'another' });
      expect(JSON.parse(text)).to.not.have.nested.property('server.meta');
    }
  });

  it('answers alike on each, to the byte and the tag, and takes the cursors of the others', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await broadcast(n));
    for (const path of [
      '/servers?map=de_*&sort=-players,name&limit=7',
      '/stats?tags=t1',
      '/changes?players=2..',
    ]) {
      const answers = [await send(`GET ${path}`), await send(`GET ${path}`), await send(`GET ${path}`)];
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).to.equal(1);
    }
    const read: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Page = await pageOf(`/servers?limit=7${next === '' ? '' : `&cursor=${next}`}`);
      read.push(...page.servers.map(({ id }) => id));
      next = page.next;
      // Others come and go meanwhile.
      await broadcast(read.length);
    }
    expect(read.slice(0, 60)).to.deep.equal(ids);
    expect(new Set(read).size).to.equal(read.length);
  });
});

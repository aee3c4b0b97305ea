/**
 * Unlisted entries, whose ids and join codes have another form since 0.9: what holds before, while and after it begins.
 */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { describeWithRelease } from './support/release.ts';

/** The last release here that makes ids of the former form. */
const FORMER_RELEASE = '0.7.0';
const TTL_S = '6';
const FORMER_ID = /^~[\w-]{22}$/;
const PRESENT_ID = /^~[0-9A-HJKMNP-TV-Z]{26}$/;

type Replica = RunningProcess & { readonly url: string };

async function start(more: Record<string, string>, folder?: string): Promise<Replica> {
  const port = String(await freePort());
  const own = { GSLS_HOST: '127.0.0.1', GSLS_PORT: port, GSLS_TTL: TTL_S, GSLS_ALLOW_UNLISTED: 'true' };
  const started = await startReplica({ ...own, ...more }, folder);
  const replica = Object.assign(started, { url: `http://127.0.0.1:${port}` });
  await until(async () => (await ask(replica, 'GET /health')).status === 200);
  return replica;
}

const broadcast = (replica: Replica, key: string, unlisted = true): Promise<TestAnswer> =>
  ask(replica, 'POST /broadcast', { body: aBroadcast({ unlisted }), headers: { 'Idempotency-Key': key } });

const ping = (replica: Replica, id: string): Promise<TestAnswer> =>
  ask(replica, 'POST /ping', { body: aBroadcast({ server_id: id }) });

/** The id of the entry that the code of this answer leads to. */
async function joined(replica: Replica, { headers }: TestAnswer): Promise<string | undefined> {
  const { text } = await ask(replica, `GET /join/${String(headers['server-join-code'])}`);
  return (JSON.parse(text) as { server?: { id: string } }).server?.id;
}

describeWithRelease(
  'unlisted entries of RELEASE and of this version',
  (release) => {
    const newPath = useDirectory();
    let redis: SingleRedis;
    before(async () => {
      redis = await startSingleRedis();
    });
    after(async () => {
      await endProcesses();
      await redis?.stop();
    });

    it('are the same for both under one key, and keep ids and codes when the others have gone', async () => {
      const older = await start(redis.environment, release());
      const newer = await start(redis.environment);
      const answers: TestAnswer[] = [];
      for (const [first, second] of [
        [older, newer],
        [newer, older],
      ] as const) {
        const answer = await broadcast(first, `key ${answers.length}`);
        const again = await broadcast(second, `key ${answers.length}`);
        expect(again.body.server_id).to.equal(answer.body.server_id).and.match(FORMER_ID);
        expect(again.headers['server-join-code']).to.equal(answer.headers['server-join-code']);
        for (const each of [older, newer])
          await until(async () => (await joined(each, answer)) === answer.body.server_id);
        answers.push(answer);
      }
      await older.stop('SIGTERM');
      let tries = 0;
      await until(async () => {
        for (const { body } of answers) expect((await ping(newer, body.server_id!)).status).to.equal(200);
        return PRESENT_ID.test((await broadcast(newer, `try ${(tries += 1)}`)).body.server_id!);
      });
      for (const [n, answer] of answers.entries()) {
        expect((await broadcast(newer, `key ${n}`)).body.server_id).to.equal(answer.body.server_id);
        expect(await joined(newer, answer)).to.equal(answer.body.server_id);
      }
      const last = await broadcast(newer, 'the last key');
      expect(await joined(newer, last)).to.equal(last.body.server_id);
      const listed = (await broadcast(newer, 'the last key', false)).body.server_id;
      expect((await ask(newer, `GET /servers/~${listed}`)).status).to.equal(404);
    });

    it('are kept by a data file, in both directions', async () => {
      const environment = { GSLS_DATA_FILE: newPath() };
      const older = await start(environment, release());
      const former = await broadcast(older, 'a key');
      await older.stop('SIGTERM');

      const newer = await start(environment);
      expect((await broadcast(newer, 'a key')).body.server_id).to.equal(former.body.server_id);
      expect(await joined(newer, former)).to.equal(former.body.server_id);
      const present = await broadcast(newer, 'another key');
      expect(present.body.server_id).to.match(PRESENT_ID);
      await newer.stop('SIGTERM');

      const back = await start(environment, release());
      for (const { body } of [former, present]) {
        expect((await ping(back, body.server_id!)).status).to.equal(200);
        expect((await ask(back, `GET /servers/${body.server_id}`)).status).to.equal(200);
        expect((await ask(back, 'GET /')).text).to.not.include(body.server_id);
      }
    });
  },
  FORMER_RELEASE,
);

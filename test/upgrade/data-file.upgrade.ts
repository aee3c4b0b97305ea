/** A data file that one version has written is read by the other, in both directions. */

import { expect } from 'chai';
import { ask, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { startReplica, type RunningProcess } from '../support/processes.ts';
import { freePort } from '../support/free-port.ts';
import { useDirectory } from '../support/use-directory.ts';
import { describeWithRelease } from './support/release.ts';

describeWithRelease('a data file of RELEASE and of this version', (release, older) => {
  const newPath = useDirectory();
  const folders: Readonly<Record<string, () => string | undefined>> = {
    [older]: release,
    'this version': () => undefined,
  };

  /** Runs the version over the file, while `work` lasts. */
  async function withVersion<T>(
    version: string,
    file: string,
    signal: NodeJS.Signals,
    work: (replica: { readonly url: string }) => Promise<T>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const port = String(await freePort());
    const environment = { GSLS_HOST: '127.0.0.1', GSLS_PORT: port, GSLS_DATA_FILE: file, ...more };
    const started: RunningProcess = await startReplica(environment, folders[version]!());
    try {
      return await work({ url: `http://127.0.0.1:${port}` });
    } finally {
      await started.stop(signal);
    }
  }

  for (const [writer, reader] of [
    [older, 'this version'],
    ['this version', older],
  ] as const)
    for (const signal of ['SIGTERM', 'SIGKILL'] as const)
      it(`${reader} lists what ${writer} had listed before ${signal}, and nothing else`, async () => {
        const file = newPath();
        const before = await withVersion(writer, file, signal, async (replica) => {
          const ids: string[] = [];
          for (let n = 0; n < 30; n += 1) {
            const { body } = await ask(replica, 'POST /broadcast', {
              body: aBroadcast({ server_name: `Server ${n} "ä" \\ 漢` }),
            });
            ids.push(body.server_id!);
          }
          for (const id of ids.slice(0, 10)) await post(replica, '/ping', id, 200);
          for (const id of ids.slice(20)) await post(replica, '/remove', id, 200);
          return { ids, list: await ask(replica, 'GET /') };
        });
        const after = await withVersion(reader, file, 'SIGKILL', async (replica) => {
          const list = await ask(replica, 'GET /');
          for (const id of before.ids.slice(20)) await post(replica, '/ping', id, 404);
          for (const id of before.ids.slice(0, 20)) await post(replica, '/ping', id, 200);
          return list;
        });
        expect(before.list.body.count).to.equal(20);
        expect(after.text).to.equal(before.list.text);
      });

  it(`${older} and back leaves all entries with their claims and details, and the feed goes on`, async () => {
    const file = newPath();
    const claim = {
      body: aBroadcast({ map: 'de_dust2', tags: ['a', 'b'] }),
      headers: { 'Server-Token': 'claim' },
    };
    const { ids, token, tag } = await withVersion('this version', file, 'SIGTERM', async (replica) => {
      const answers = [];
      for (let n = 0; n < 10; n += 1) answers.push(await ask(replica, 'POST /broadcast', claim));
      await post(
        replica,
        '/remove',
        (await ask(replica, 'POST /broadcast', { body: aBroadcast() })).body.server_id!,
        200,
      );
      return {
        ids: answers.map(({ body }) => body.server_id!),
        token: String(answers[0]!.headers['server-token']),
        tag: (JSON.parse((await ask(replica, 'GET /changes')).text) as { tag: string }).tag,
      };
    });
    const owned = { body: { ...aBroadcast(), server_id: ids[0] }, headers: { 'Server-Token': token } };
    await withVersion(older, file, 'SIGTERM', async (replica) => {
      expect((await ask(replica, 'GET /')).body.count).to.equal(10);
      for (const id of ids) await post(replica, '/ping', id, 403);
      expect((await ask(replica, 'POST /ping', owned)).status).to.equal(200);
    });
    await withVersion('this version', file, 'SIGKILL', async (replica) => {
      for (const id of ids) await post(replica, '/ping', id, 403);
      expect((await ask(replica, 'POST /ping', owned)).status).to.equal(200);
      const { text } = await ask(replica, `GET /changes?since=${tag}`);
      expect(JSON.parse(text)).to.deep.include({ full: false, servers: [], removed: [] });
      const one = JSON.parse((await ask(replica, `GET /servers/${ids[0]}`)).text) as { server: object };
      expect(one.server).to.deep.include({ map: 'de_dust2', tags: ['a', 'b'] });
      expect((await ask(replica, 'GET /')).body.count).to.equal(10);
    });
  });

  it(`labels and reports are read again by both`, async () => {
    const file = newPath();
    const moderated = { GSLS_ADMIN_KEY: 'boss', GSLS_REPORT_REASONS: 'spam' };
    const headers = { Authorization: 'Bearer boss' };
    const id = await withVersion(
      'this version',
      file,
      'SIGKILL',
      async (replica) => {
        const { body } = await ask(replica, 'POST /broadcast', { body: aBroadcast() });
        const { server_id } = body;
        await ask(replica, 'POST /admin/labels', { headers, body: { id: server_id, label: 'official' } });
        await ask(replica, 'POST /report', { body: { id: server_id, reason: 'spam' } });
        return server_id!;
      },
      moderated,
    );
    for (const [version, signal] of [
      [older, 'SIGTERM'],
      ['this version', 'SIGKILL'],
      [older, 'SIGKILL'],
    ] as const)
      await withVersion(
        version,
        file,
        signal,
        async (replica) => {
          expect((await ask(replica, `GET /servers/${id}`)).text).to.include('"labels":["official"]');
          const { text } = await ask(replica, 'GET /admin/reports', { headers });
          expect(JSON.parse(text)).to.deep.include({ count: 1 });
        },
        moderated,
      );
  });
});

async function post(
  replica: { readonly url: string },
  path: string,
  id: string,
  status: number,
): Promise<TestAnswer> {
  const answer = await ask(replica, `POST ${path}`, { body: { ...aBroadcast(), server_id: id } });
  expect(answer.status).to.equal(status);
  return answer;
}

/** The labels that moderators give: who has them, and where they show. */

import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { EventParser, type ServerSentEvent } from '../../support/event-parser.ts';
import { useService } from '../../support/use-service.ts';
import { until } from '../../support/until.ts';

const ADMIN = { Authorization: 'Bearer boss' };

interface Row {
  readonly id: string;
  readonly labels?: readonly string[];
  readonly tags?: readonly string[];
}

describe('labels', () => {
  const service = useService({ GSLS_ADMIN_KEY: 'boss', GSLS_LABELS: 'cup' });

  const label = (body: object): Promise<TestAnswer> =>
    ask(service, 'POST /admin/labels', { headers: ADMIN, body: { label: 'official', ...body } });
  const servers = async (query: string): Promise<readonly Row[]> => {
    const answer = await ask(service, `GET /servers?${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return (JSON.parse(answer.text) as { servers: readonly Row[] }).servers;
  };
  const idsOf = async (query: string): Promise<readonly string[]> =>
    (await servers(query)).map(({ id }) => id);
  const takeAllBack = async (): Promise<void> => {
    const { text } = await ask(service, 'GET /admin/labels', { headers: ADMIN });
    for (const { rule } of (JSON.parse(text) as { labels: readonly { rule: string }[] }).labels)
      await ask(service, `DELETE /admin/labels/${rule}`, { headers: ADMIN });
  };
  /** Who wears a label, by a tag that it gives itself, and who has one. */
  let [plain, worn, given]: readonly string[] = [];
  beforeEach(async () => {
    await takeAllBack();
    const { servers: all = [] } = (await ask(service, 'GET /')).body;
    for (const { id, ip } of all)
      await ask(service, 'POST /remove', { body: { server_id: id, server_ip: ip } });
    [plain, worn, given] = [
      await service.broadcast({ players: 3 }),
      await service.broadcast({ players: 2, tags: ['official'] }),
      await service.broadcast({ players: 1, server_name: 'Cup 1' }),
    ];
    expect((await label({ name: 'cup *' })).status).to.equal(201);
  });

  it('are in filters, orders, facets and changes, and a tag is none', async () => {
    expect(await idsOf('labels=official')).to.deep.equal([given]);
    expect(await idsOf('labels!=official')).to.deep.equal([plain, worn]);
    expect(await idsOf('labels=*')).to.deep.equal([given]);
    expect(await idsOf('tags=official')).to.deep.equal([worn]);
    expect(await idsOf('sort=-label:official,-players')).to.deep.equal([given, plain, worn]);
    expect(await idsOf('sort=label:official,-players')).to.deep.equal([plain, worn, given]);
    expect(await idsOf('sort=-label:nobody')).to.deep.equal([plain, worn, given]);
    const [row] = await servers(`labels=official`);
    expect(row).to.include({ id: given }).and.have.deep.property('labels', ['official']);
    const { text } = await ask(service, 'GET /stats');
    expect(JSON.parse(text)).to.have.deep.property('labels', [{ value: 'official', servers: 1, players: 1 }]);
  });

  it('leave GET / as it is, to the byte', async () => {
    const before = await ask(service, 'GET /');
    await label({ name: 'cup *', label: 'featured' });
    const after = await ask(service, 'GET /');
    expect(after.text).to.equal(before.text);
    expect(after.text).to.not.include('official');
  });

  it('come and go in /changes and its streams, without a change of the game server', async () => {
    const since = async (tag: string): Promise<{ tag: string; servers: readonly Row[] }> =>
      JSON.parse((await ask(service, `GET /changes?since=${tag}`)).text) as never;
    const { tag } = await since('');
    const leaving = new AbortController();
    const stream = await fetch(`${service.url}/changes?labels=featured`, {
      headers: { Accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    const events: ServerSentEvent[] = [];
    const parser = new EventParser((event) => events.push(event));
    const reading = (async () => {
      for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) parser.push(part);
    })().catch(() => undefined);
    const added = await label({ id: plain, label: 'featured' });
    const { rule } = JSON.parse(added.text) as { rule: string };
    const changed = await since(tag);
    expect(changed.servers.map(({ id, labels }) => [id, labels])).to.deep.equal([[plain, ['featured']]]);
    await until(async () => events.some(({ data }) => data.includes(plain!)));
    await ask(service, `DELETE /admin/labels/${rule}`, { headers: ADMIN });
    await until(async () => events.some(({ data }) => /"removed":\["[^"]+"\]/.test(data)));
    expect((await since(changed.tag)).servers.map(({ id, labels }) => [id, labels])).to.deep.equal([
      [plain, undefined],
    ]);
    leaving.abort();
    await reading;
  });

  it('are given by the hash of a token to the entry that has it', async () => {
    const answer = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    const token = String(answer.headers['server-token']);
    const hash = createHash('sha256').update(token).digest('hex');
    const added = await label({ token_sha256: hash, label: 'cup' });
    expect([added.status, JSON.parse(added.text)]).to.deep.include(201);
    expect(JSON.parse(added.text)).to.include({ id: answer.body.server_id, matches: 1 });
    expect(added.text).to.not.include(hash);
    expect(await idsOf('labels=cup')).to.deep.equal([answer.body.server_id]);
    expectError(await label({ token_sha256: hash, id: plain }), 'unknown_server');
    expectError(await label({ token_sha256: '0'.repeat(64) }), 'unknown_server');
    expectError(await label({ token_sha256: token }), 'invalid_request');
  });

  it('are refused if they are none of those that there are, or have no pattern', async () => {
    for (const [body, message] of [
      [{ label: 'Official', id: 'a' }, 'must be official, featured, 18+, warned, trusted, cup'],
      [{ id: 'a', mode: 'silent' }, 'is no field of a label'],
      [{}, 'are missing: at least one of them is needed'],
    ] as const) {
      const answer = await label(body);
      expectError(answer, 'invalid_request');
      expect(answer.body.details!.map((each) => each.message)).to.include(message);
    }
  });

  it('are told to nobody without a key, nor what a rule would match', async () => {
    for (const call of [
      'GET /admin/labels',
      'POST /admin/labels',
      'DELETE /admin/labels/a',
      'POST /admin/preview',
      'GET /admin/me',
      `GET /admin/servers/${given}`,
    ])
      expectError(await ask(service, call, call.startsWith('POST') ? { body: {} } : {}), 'unauthorized');
  });
});

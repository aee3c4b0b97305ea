import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

interface PageBody {
  readonly servers: readonly { readonly id: string; readonly name: string; readonly players: number }[];
  readonly count: number;
  readonly total: number;
  readonly next: string | null;
}

const pageOf = ({ status, text }: TestAnswer): PageBody => {
  expect(status, text).to.equal(200);
  return JSON.parse(text) as PageBody;
};

describe('GET /servers', () => {
  const service = useService();
  const page = async (query: string): Promise<PageBody> => pageOf(await ask(service, `GET /servers${query}`));
  const ids: string[] = [];
  before(async () => {
    for (let n = 0; n < 12; n += 1)
      ids.push(
        await service.broadcast({ server_name: `Server n${n % 3}`, players: n, server_port: 7000 + n }),
      );
  });

  it('shows the servers that match, sorted, with their number', async () => {
    const { servers, count, total, next } = await page('?q=server+n1&sort=-players&limit=3');
    expect([count, total]).to.deep.equal([3, 4]);
    expect(servers.map(({ players }) => players)).to.deep.equal([10, 7, 4]);
    const rest = await page(`?q=server+n1&sort=-players&limit=3&cursor=${next}`);
    expect([rest.servers.map(({ players }) => players), rest.next]).to.deep.equal([[1], null]);
  });

  it('shows each server with its fields, in one order', async () => {
    const { text } = await ask(service, `GET /servers?id=${ids[4]}`);
    expect(text.replace(/"registered_at":"[^"]*"/, 'R')).to.equal(
      `{"status":"success","servers":[{"id":"${ids[4]}","host":"game.example.com","name":"Server n1","port":7004,"ip":"203.0.113.7","players":4,"max_players":16,R}],"count":1,"total":1,"next":null}`,
    );
    const [, at] = /"registered_at":"([^"]*)"/.exec(text)!;
    expect(Math.abs(Date.parse(at!) - Date.now())).to.be.below(60_000);
  });

  it('links to the next page, which any client may follow', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/servers?players=1..&limit=5&name=Server+*';
    while (path !== undefined) {
      const answer: TestAnswer = await ask(service, `GET ${path}`);
      seen.push(...pageOf(answer).servers.map(({ id }) => id));
      const { link } = answer.headers;
      path = link === undefined ? undefined : /^<([^>]+)>; rel="next"$/.exec(String(link))![1];
    }
    expect(seen).to.deep.equal(ids.slice(1));
  });

  it('answers with nothing to a value that no server has', async () => {
    expect(await page('?map=nowhere')).to.deep.equal({
      status: 'success',
      servers: [],
      count: 0,
      total: 0,
      next: null,
    });
  });

  it('has a tag of this page, which stays while other servers change', async () => {
    const path = `/servers?id=${ids[0]}`;
    const { headers } = await ask(service, `GET ${path}`);
    const known = { headers: { 'If-None-Match': headers.etag } };
    const ping = (id: string, players: number) =>
      ask(service, 'POST /ping', {
        body: aBroadcast({
          server_id: id,
          players,
          server_name: 'Server 0',
          server_port: 7000 + ids.indexOf(id),
        }),
      });
    await ping(ids[3]!, 12);
    const unchanged = await ask(service, `GET ${path}`, known);
    expect([unchanged.status, unchanged.text]).to.deep.equal([304, '']);
    expect(unchanged.headers).to.include({ etag: headers.etag, 'cache-control': 'no-cache' });
    await ping(ids[0]!, 3);
    const changed = await ask(service, `GET ${path}`, known);
    expect(changed.status).to.equal(200);
    expect(changed.headers.etag).to.not.equal(headers.etag);
    await ping(ids[3]!, 3);
    await ping(ids[0]!, 0);
  });

  it('comes in gzip or plain, under a tag of its own', async () => {
    const plain = await ask(service, 'GET /servers');
    const gzip = await ask(service, 'GET /servers', { headers: { 'Accept-Encoding': 'br, gzip' } });
    expect(gunzipSync(gzip.bytes).toString()).to.equal(plain.text);
    expect(gzip.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers).to.not.have.property('content-encoding');
    expect(gzip.headers.etag).to.not.equal(plain.headers.etag);
    for (const tag of [gzip.headers.etag, `W/${plain.headers.etag}`, `"x", ${gzip.headers.etag}`, '*'])
      expect((await ask(service, 'GET /servers', { headers: { 'If-None-Match': tag } })).status).to.equal(
        304,
      );
    const neither = { headers: { 'Accept-Encoding': 'br, identity;q=0' } };
    expectError(await ask(service, 'GET /servers', neither), 'not_acceptable');
  });

  it('answers HEAD with the headers alone', async () => {
    const { headers } = await ask(service, 'GET /servers?limit=2');
    const head = await ask(service, 'HEAD /servers?limit=2');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    for (const name of ['etag', 'link', 'content-length', 'cache-control'])
      expect(head.headers[name], name).to.equal(headers[name]);
  });

  it('shows every change that was acknowledged before the request', async () => {
    for (let n = 0; n < 20; n += 1) {
      const id = await service.broadcast({ server_name: 'Short-lived' });
      expect((await page('?name=Short-lived')).servers.map((each) => each.id)).to.deep.equal([id]);
      await ask(service, 'POST /remove', { body: { server_id: id, server_ip: '203.0.113.7' } });
      expect((await page('?name=Short-lived')).total).to.equal(0);
    }
  });

  it('names every wrong parameter', async () => {
    const answer = await ask(service, 'GET /servers?mapp=a&limit=0&players=x&sort=nmae');
    expectError(answer, 'invalid_query');
    expect(answer.body.details!.map(({ field }) => field)).to.deep.equal([
      'mapp',
      'limit',
      'players',
      'sort',
    ]);
    expectError(await ask(service, 'GET /servers?cursor=bm9uZQ'), 'invalid_cursor');
  });
});

describe('GET /servers/{id}', () => {
  const service = useService();

  it('shows one server', async () => {
    const id = await service.broadcast({ server_name: 'One' });
    const { status, text, headers } = await ask(service, `GET /servers/${id}`);
    expect(status).to.equal(200);
    expect(text).to.match(/^\{"status":"success","server":\{"id":.*,"registered_at":"[^"]+"\}\}$/);
    expect(JSON.parse(text))
      .to.deep.include({ status: 'success' })
      .and.to.have.nested.property('server.name', 'One');
    expect(headers['cache-control']).to.equal('no-cache');
    await ask(service, 'POST /remove', { body: { server_id: id, server_ip: '203.0.113.7' } });
    expectError(await ask(service, `GET /servers/${id}`), 'unknown_server');
  });

  it('gets 404 for an id that is none', async () => {
    for (const id of ['x', '%00', '..', '~x', 'constructor', 'a'.repeat(500)])
      expectError(await ask(service, `GET /servers/${id}`), 'unknown_server');
  });

  it('takes no parameters', async () => {
    expectError(await ask(service, 'GET /servers/x?include=meta'), 'invalid_query');
  });
});

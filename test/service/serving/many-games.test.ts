/** Several registries in one service, as clients meet them: by path and by host, with keys of their own. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sha256Of } from '../../../src/api/http/key-ring.ts';
import { Routes } from '../../../src/api/http/routes.ts';
import { OWN_PATHS } from '../../../src/service/deployment/placed-registry.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, type AskOptions, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { LogRecord } from '../../support/log-record.ts';
import { openRawConnection, plainRequest } from '../../support/raw-connection.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

describe('a service with several registries', () => {
  const newPath = useDirectory();
  const started: Service[] = [];
  const log = new LogRecord();
  let service: Service;

  async function start(yaml: string, environment: Record<string, string> = {}): Promise<Service> {
    const path = newPath();
    writeFileSync(path, yaml);
    const opened = await startTestService({ GSLS_CONFIG: path, ...environment }, log.logger);
    started.push(opened);
    return opened;
  }

  afterEach(async () => {
    for (const each of started.splice(0)) await each.close();
  });

  const get = (path: string, options: AskOptions = {}): Promise<TestAnswer> =>
    ask(service, `GET ${path}`, options);
  const broadcast = (path: string, name: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    ask(service, `POST ${path}/broadcast`, { body: aBroadcast({ server_name: name }), headers });
  const namesAt = async (path: string, host?: string): Promise<string[]> => {
    const { body } = await get(path, host === undefined ? {} : { headers: { Host: host } });
    return body.servers!.map(({ name }) => name);
  };

  it('has a list for each, by path, by host or by both', async () => {
    service = await start(`
      registries:
        racer: { hosts: [Racer.example.com], path: /games/racer }
        shooter:
        arena: { hosts: arena.example.com }
    `);
    await broadcast('/games/racer', 'a racer');
    await broadcast('/shooter', 'a shooter');
    expect(await namesAt('/games/racer/')).to.deep.equal(['a racer']);
    expect(await namesAt('/games/racer')).to.deep.equal(['a racer']);
    expect(await namesAt('/', 'racer.EXAMPLE.com:8080')).to.deep.equal(['a racer']);
    expect(await namesAt('/shooter/')).to.deep.equal(['a shooter']);
    expect(await namesAt('/', 'arena.example.com')).to.deep.equal([]);
    expect((await get('/health')).body.server_count).to.equal(2);
    expect((await get('/shooter/health')).body.server_count).to.equal(1);
    // On a host of its own a registry has all paths.
    expect((await get('/shooter/', { headers: { Host: 'arena.example.com' } })).body.code).to.equal(
      'not_found',
    );
    expect((await get('/health', { headers: { Host: 'arena.example.com' } })).body.server_count).to.equal(0);
  });

  it('says of any other address that there is no registry, and names none', async () => {
    service = await start('registries: { racer: , shooter: }');
    for (const path of ['/', '/race', '/racers/', '/servers', '/racer%2F', '//racer/', '/x/racer/']) {
      const { status, body, text } = await get(path);
      expect([status, body.code], path).to.deep.equal([404, 'unknown_registry']);
      expect(text).to.not.match(/racer|shooter/);
    }
    expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).body.code).to.equal(
      'unknown_registry',
    );
  });

  it('reads the target of a request in each of its forms', async () => {
    service = await start('registries: { racer: }');
    const connection = await openRawConnection(service);
    const statusOf = async (target: string): Promise<number> =>
      (await connection.send(plainRequest(`GET ${target}`)).answer()).status;
    expect(await statusOf(`${service.url}/racer/health`)).to.equal(200);
    expect(await statusOf('http://[bad/racer/health')).to.equal(400);
    connection.destroy();
  });

  it('leads a browser to the page of a registry from its bare path, and links relatively', async () => {
    service = await start('registries: { racer: { page-redirect: true } }');
    const headers = { Accept: 'text/html' };
    const bare = await get('/racer?q=x', { headers });
    expect([bare.status, bare.headers.location]).to.deep.equal([303, 'racer/?q=x']);
    const root = await get('/racer/', { headers });
    expect([root.status, root.headers.location]).to.deep.equal([303, 'browse']);
    expect((await get('/racer/browse', { headers })).text).to.include('<title>racer');
    for (const name of ['a', 'b', 'c']) await broadcast('/racer', name);
    const { headers: page } = await get('/racer/servers?limit=1');
    expect(page.link).to.match(/^<servers\?.*>; rel="next"$/);
  });

  it('lists those that everybody may read, if it is to', async () => {
    service = await start(`
      registry-index: true
      registries: { racer: { title: Racer }, shooter: { hosts: [x.example] }, secret: }
      keys: [{ name: k, sha256: ${sha256Of('k')}, may: [read], registries: [secret] }]
    `);
    await broadcast('/racer', 'one');
    expect((await get('/')).body).to.deep.equal({
      registries: [
        { name: 'racer', title: 'Racer', path: '/racer/', server_count: 1 },
        { name: 'shooter', title: 'shooter', hosts: ['x.example'], server_count: 0 },
      ],
    });
  });

  it('can have one at the root, beside the health of all', async () => {
    service = await start('registries: { main: { path: / }, racer: }');
    await broadcast('', 'at the root');
    await broadcast('/racer', 'below');
    expect(await namesAt('/')).to.deep.equal(['at the root']);
    expect((await get('/health')).body.server_count).to.equal(2);
  });

  it('takes keys for what they may, where they may, and tells no more', async () => {
    service = await start(`
      registries: { racer: , shooter: { public-read: true }, open: }
      keys:
        - { name: racer servers, sha256: ${sha256Of('announce racer')}, may: [announce], registries: [racer] }
        - { name: ada, sha256: ${sha256Of('ada')}, may: [read, moderate], registries: [racer, shooter] }
        - { name: prometheus, sha256: ${sha256Of('prometheus')}, may: [operate] }
    `);
    const statusOf = async (request: string, key?: string): Promise<number> => {
      const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
      const body = request.startsWith('POST') ? { body: aBroadcast() } : {};
      return (await ask(service, request, { headers, ...body })).status;
    };
    expect(await statusOf('POST /racer/broadcast', 'announce racer')).to.equal(200);
    expect(await statusOf('POST /racer/broadcast')).to.equal(401);
    expect(await statusOf('POST /racer/broadcast', 'ada')).to.equal(403);
    expect(await statusOf('POST /shooter/broadcast', 'announce racer')).to.equal(403);
    expect(await statusOf('POST /open/broadcast')).to.equal(200);
    expect(await statusOf('GET /racer/')).to.equal(401);
    expect(await statusOf('GET /racer/', 'ada')).to.equal(200);
    expect(await statusOf('GET /shooter/')).to.equal(200);
    expect(await statusOf('GET /racer/admin/bans', 'ada')).to.equal(200);
    expect(await statusOf('GET /racer/admin/bans', 'announce racer')).to.equal(403);
    expect(await statusOf('GET /metrics', 'prometheus')).to.equal(200);
    expect(await statusOf('GET /metrics', 'ada')).to.equal(403);
    expect(await statusOf('GET /metrics')).to.equal(401);
    const { text } = await get('/shooter/admin/bans', { headers: { Authorization: 'announce racer' } });
    expect(text)
      .to.include('scope moderate')
      .and.to.not.match(/racer|ada|prometheus/);
  });

  it('takes a key for a registry by its name in the file, whatever its name in Redis', async () => {
    service = await start(`
      registries: { main: { path: /, redis-name: "" }, other: { redis-name: main } }
      keys: [{ name: launcher, sha256: ${sha256Of('the launcher')}, may: [read], registries: [main] }]
    `);
    expect((await get('/')).status).to.equal(401);
    expect((await get('/', { headers: { Authorization: 'the launcher' } })).status).to.equal(200);
    expect((await broadcast('/other', 'open to all')).status).to.equal(200);
  });

  it('says in metrics and log which registry they are about', async () => {
    service = await start('registries: { racer: , shooter: }');
    await broadcast('/racer', 'one');
    await get('/shooter/');
    const { text } = await get('/metrics');
    expect(text).to.include('gsls_game_servers{registry="racer"} 1\n');
    expect(text).to.include('gsls_game_servers{registry="shooter"} 0\n');
    expect(text.match(/^# TYPE gsls_game_servers /gm)).to.have.lengthOf(1);
    expect(text).to.match(/^gsls_open_connections \d/m);
    expect(await log.logged('a game server is listed')).to.include({ registry: 'racer' });
  });

  it('limits the game servers and the streams of all of them together', async () => {
    service = await start('total-servers: 2\ntotal-streams: 1\nregistries: { racer: , shooter: }');
    const first = await broadcast('/racer', 'one');
    expect(first.status).to.equal(200);
    expect((await broadcast('/shooter', 'two')).status).to.equal(200);
    const refused = await broadcast('/racer', 'three');
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'quota_exceeded']);
    const body = aBroadcast({ server_name: 'one', server_id: first.body.server_id });
    expect((await ask(service, 'POST /racer/ping', { body })).status).to.equal(200);
  });

  it('reserves the paths that registries have themselves', async () => {
    service = await start('registries: { racer: { allow-unlisted: true, protocols: [ddnet, luanti] } }', {
      GSLS_ADMIN_KEY: 'boss',
    });
    const { body } = await get('/racer/openapi.json');
    const paths = Object.keys((body as { paths: object }).paths);
    const firsts = new Set(paths.map((path) => path.split('/')[1]!).filter((part) => part !== ''));
    expect(OWN_PATHS).to.include.members([...firsts]);
    expect(new Routes([]).knownPaths).to.equal('');
  });
});

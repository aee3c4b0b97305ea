/** A configuration that changes while the service runs: what is in effect, and what the log says of the rest. */

import { createSocket } from 'node:dgram';
import { readdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sha256Of } from '../../../src/api/http/key-ring.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { LogRecord } from '../../support/log-record.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

const quake = (port: number): string => `quake: { dpmaster-port: ${port}, dpmaster-host: 127.0.0.1 }`;

describe('a configuration that has changed', () => {
  const newPath = useDirectory();
  let path: string;
  let log: LogRecord;
  let service: Service;

  async function start(yaml: string, environment: Record<string, string> = {}): Promise<void> {
    path = newPath();
    log = new LogRecord();
    writeFileSync(path, yaml);
    service = await startTestService({ GSLS_CONFIG: path, ...environment }, log.logger);
  }
  async function change(yaml: string): Promise<void> {
    writeFileSync(path, yaml);
    await service.reload();
  }
  afterEach(() => service.close());

  const statusOf = async (request: string, key?: string): Promise<number> => {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    const body = request.startsWith('POST') ? { body: aBroadcast() } : {};
    return (await ask(service, request, { headers, ...body })).status;
  };
  const countAt = async (at: string): Promise<number> => (await ask(service, `GET ${at}`)).body.count!;

  async function openStream(at: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const headers = { Accept: 'text/event-stream' };
    const response = await fetch(`${service.url}${at}/changes`, { headers });
    expect(response.status).to.equal(200);
    return response.body!.getReader();
  }

  it('serves registries that are new, and no more those that are gone', async () => {
    await start('registries: { racer: , shooter: }');
    expect(await statusOf('POST /racer/broadcast')).to.equal(200);
    await change('registries: { racer: , arena: }');
    expect(await statusOf('GET /arena/')).to.equal(200);
    expect(await statusOf('GET /shooter/')).to.equal(404);
    expect(await countAt('/racer/')).to.equal(1);
    expect(await log.logged('the configuration has changed')).to.deep.include({
      changed: ['arena is new', 'shooter is gone'],
    });
  });

  it('keeps a registry that is new in a file of its own', async () => {
    const folder = newPath();
    await start(`data-file: ${folder}\nregistries: { racer: }`);
    await change(`data-file: ${folder}\nregistries: { racer: , arena: }`);
    expect(await statusOf('POST /arena/broadcast')).to.equal(200);
    expect(readdirSync(folder)).to.include.members(['racer.data', 'arena.data']);
  });

  it('moves a registry with its list', async () => {
    await start('registries: { racer: }');
    await statusOf('POST /racer/broadcast');
    await change('registries: { racer: { path: /cars, hosts: [cars.example] } }');
    expect(await statusOf('GET /racer/')).to.equal(404);
    expect(await countAt('/cars/')).to.equal(1);
  });

  it('has other limits, keys and texts at once, in memory too', async () => {
    await start('registries: { racer: { max-servers: 1 } }');
    expect(await statusOf('POST /racer/broadcast')).to.equal(200);
    expect(await statusOf('POST /racer/broadcast')).to.equal(429);
    await change('registries: { racer: { max-servers: 2, title: Cars, rate-limit: list=1/m } }');
    expect(await statusOf('POST /racer/broadcast')).to.equal(200);
    expect((await ask(service, 'GET /racer/browse', { headers: { Accept: 'text/html' } })).text).to.include(
      '<title>Cars',
    );
    expect([await statusOf('GET /racer/'), await statusOf('GET /racer/')]).to.deep.equal([429, 429]);
    expect((await ask(service, 'GET /metrics')).text).to.include(
      'gsls_max_game_servers{registry="racer"} 2\n',
    );
    const key = `{ name: k, sha256: ${sha256Of('key')}, may: [read] }`;
    await change(`registries: { racer: { max-servers: 2 } }\nkeys: [${key}]`);
    expect(await statusOf('GET /racer/')).to.equal(401);
    expect(await statusOf('GET /racer/', 'key')).to.equal(200);
    const { headers } = await ask(service, 'GET /racer/', { headers: { Authorization: 'key' } });
    expect(headers['cache-control']).to.include('private');
    await change('registries: { racer: { max-servers: 2 } }');
    expect(await statusOf('GET /racer/')).to.equal(200);
  });

  it('names what takes a restart, and keeps that as it was', async () => {
    await start('max-body: 2048\nregistries: { racer: { ttl: 30 }, other: }');
    await statusOf('POST /racer/broadcast');
    await change('max-body: 4096\nregistries: { racer: { ttl: 60, title: Cars }, other: { redis-name: x } }');
    expect(log.lines.at(-1)).to.deep.include({
      options: ['--max-body', '--ttl of racer', 'redis-name of other'],
    });
    const { headers } = await ask(service, 'POST /racer/broadcast', { body: aBroadcast() });
    expect(headers['server-ttl']).to.equal('30');
    await change('port: 1');
    expect(log.lines.at(-1)).to.deep.include({ options: ['--max-body', 'registries'] });
    expect(await statusOf('GET /racer/')).to.equal(200);
  });

  it('changes nothing if it cannot be used, and the log says why', async () => {
    await start('registries: { racer: , shooter: }');
    await change('registries: { racer: { ttl: many }, shooter: }');
    expect((await log.logged('the configuration cannot be used')).reason).to.match(/:1:\d+: ttl must be/);
    expect([await statusOf('GET /racer/'), await statusOf('GET /shooter/')]).to.deep.equal([200, 200]);
  });

  it('leaves a registry as it was that cannot be changed, and goes on to change the others', async () => {
    const taken = createSocket('udp4');
    await new Promise<void>((resolve) => taken.bind(0, '127.0.0.1', resolve));
    const free = await freePort();
    await start(`registries: { ${quake(free)}, racer: }`);
    await statusOf('POST /quake/broadcast');
    await change(`registries: { ${quake(taken.address().port)}, racer: { path: /cars } }`);
    expect(await log.logged('a registry cannot be changed')).to.include({ registry: 'quake' });
    expect(await countAt('/quake/')).to.equal(1);
    expect(await statusOf('GET /cars/')).to.equal(200);
    await change(`registries: { ${quake(free)}, racer: , arena: }`);
    expect(await statusOf('POST /racer/broadcast')).to.equal(200);
    await new Promise<void>((resolve) => taken.close(resolve));
  });

  it('ends the streams of a registry that is gone, and no other', async () => {
    await start('registries: { racer: , shooter: }');
    const [gone, stays] = [await openStream('/shooter'), await openStream('/racer')];
    await change('registries: { racer: }');
    while (!(await gone.read()).done);
    await statusOf('POST /racer/broadcast');
    let text = '';
    while (!text.includes('event: ')) text += Buffer.from((await stays.read()).value!).toString();
    await stays.cancel();
  });
});

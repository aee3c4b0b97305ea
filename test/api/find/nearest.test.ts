/** `near` in `GET /servers`: what a reader measured, and the order, filters and pages that follow from it. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { nearMs, BeaconMap } from '../../../src/model/near.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { BEACONS, CITIES, latencyFrom } from '../../support/round-trips.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

interface Row {
  readonly name: string;
  readonly near_ms?: number;
}

const FILE = Object.fromEntries(BEACONS.map(({ id, url, place, latency }) => [id, { url, place, latency }]));
const READER = 'near=fra:10,nyc:85,sin:170';

const names = (servers: readonly Row[]): string[] => servers.map(({ name }) => name);

/** The answer names `near` alone as wrong. */
function expectWrongNear({ status, body }: TestAnswer): void {
  expect([status, body.code, body.details?.map(({ field }) => field)]).to.deep.equal([
    400,
    'invalid_query',
    ['near'],
  ]);
}

describe('the nearest servers', () => {
  const service = useService({ GSLS_BEACONS: JSON.stringify(FILE) });

  before(async () => {
    for (const city of CITIES)
      await service.broadcast({ server_name: city, players: city.length, latency: latencyFrom(city) });
    await service.broadcast({ server_name: 'silent' });
    await service.broadcast({ server_name: 'liar', latency: { fra: 1, nyc: 1, sin: 1, syd: 1 } });
    await service.broadcast({ server_name: 'of other beacons', latency: { mars: 1 } });
  });

  async function find(
    query: string,
  ): Promise<{ readonly servers: readonly Row[]; readonly next: string | null }> {
    const { text, status } = await ask(service, `GET /servers?${query}`);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as { servers: Row[]; next: string | null };
  }

  it('come first by what both have measured, and each tells how near it is', async () => {
    const { servers } = await find(`${READER}&sort=near`);
    const map = new BeaconMap(BEACONS);
    const reader = map.pointOf({ fra: 10, nyc: 85, sin: 170 })!;
    const told = servers.slice(0, CITIES.length);
    expect(told.map(({ near_ms: ms }) => ms)).to.deep.equal(
      told.map(({ name }) => nearMs(reader, map.pointOf(latencyFrom(name))!)),
    );
    expect(told.map(({ near_ms: ms }) => ms!)).to.deep.equal(
      told.map(({ near_ms: ms }) => ms!).toSorted((a, b) => a - b),
    );
    expect(names(servers.slice(CITIES.length))).to.have.members(['silent', 'liar', 'of other beacons']);
    expect(servers.slice(CITIES.length).every((server) => !('near_ms' in server))).to.equal(true);
  });

  it('are found page by page, each once and in the same order', async () => {
    const all = names((await find(`${READER}&sort=near&limit=1000`)).servers);
    const paged: string[] = [];
    let cursor = '';
    do {
      const { servers, next } = await find(`${READER}&sort=near&limit=7${cursor}`);
      paged.push(...names(servers));
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(paged).to.deep.equal(all);
  });

  it('have a Link to the next page that says where the reader is', async () => {
    const { headers } = await ask(service, `GET /servers?${READER}&sort=near&limit=7`);
    const next = /<(.+)>/.exec(headers['link'] as string)![1]!;
    expect(next).to.include(READER);
    expect((await ask(service, `GET ${next}`)).status).to.equal(200);
  });

  it('are those within a range, in any order and beside any other filter', async () => {
    const { servers } = await find(`${READER}&near=..60&sort=-players&players=5..`);
    expect(servers).to.have.lengthOf.above(3);
    expect(servers.every(({ near_ms: ms, name }) => ms! <= 60 && name.length >= 5)).to.equal(true);
    const { servers: others } = await find(`${READER}&near!=..60&limit=1000`);
    expect(names(others)).to.include('silent').and.not.include.members(names(servers));
  });

  it('can be the farthest, with those of which nothing is known at the end all the same', async () => {
    const { servers } = await find(`${READER}&sort=-near,name`);
    expect(servers[0]!.near_ms).to.be.above(200);
    expect(names(servers.slice(-3))).to.deep.equal(['liar', 'of other beacons', 'silent']);
  });

  it('are told without an order, too', async () => {
    const { servers } = await find(`${READER}&name=Paris`);
    expect(servers[0]!.near_ms).to.be.a('number');
  });

  it('are an answer for one reader, which nothing keeps', async () => {
    const { headers } = await ask(service, `GET /servers?${READER}&sort=near`);
    expect(headers['cache-control']).to.equal('private, no-store');
    expect((await ask(service, 'GET /servers?near_by=1')).status).to.equal(400);
    expect((await ask(service, 'GET /servers?q=near')).headers['cache-control']).to.equal('no-cache');
  });

  for (const [what, query] of [
    ['no latency', 'near='],
    ['no number', 'near=fra:x'],
    ['a beacon that there is not', 'near=mars:10&sort=near'],
    ['two readers', 'near=fra:10&near=nyc:80'],
    ['no reader beside the order', 'sort=near'],
    ['no reader beside the filter', 'near=..80'],
    ['too much', 'near=fra:2001'],
    ['a broken escape', 'near=fra:1%ZZ'],
  ] as const)
    it(`are refused for ${what}`, async () => {
      expectWrongNear(await ask(service, `GET /servers?${query}`));
    });

  it('are no matter of changes, statistics and streams', async () => {
    for (const path of ['/changes', '/stats'])
      expect((await ask(service, `GET ${path}?${READER}`)).status, path).to.equal(400);
  });

  it('are told of a service whose list changes meanwhile', async () => {
    const id = await service.broadcast({ server_name: 'mover', latency: latencyFrom('Auckland') });
    const far = (await find(`${READER}&id=${id}`)).servers[0]!.near_ms!;
    const { status } = await ask(service, 'POST /ping', {
      body: {
        server_id: id,
        server_host: 'eu1.example.com',
        server_name: 'mover',
        server_port: 7777,
        server_ip: '203.0.113.7',
        players: 1,
        max_players: 16,
        latency: latencyFrom('Paris'),
      },
    });
    expect(status).to.equal(200);
    expect((await find(`${READER}&id=${id}`)).servers[0]!.near_ms).to.be.below(far / 3);
  });
});

describe('a service without beacons', () => {
  const service = useService();

  it('says so to a reader who asks for what is near', async () => {
    const answer = await ask(service, `GET /servers?${READER}&sort=near`);
    expectWrongNear(answer);
    expect(answer.body.error).to.include('names no beacons');
  });

  it('keeps what game servers say of beacons', async () => {
    const id = await service.broadcast({ latency: { fra: 8 } });
    const { text } = await ask(service, `GET /servers?id=${id}`);
    expect(text).to.include('"latency":{"fra":8}');
  });
});

describe('the nearest servers by country', () => {
  const newPath = useDirectory();
  const service = useService(() => {
    const path = newPath();
    const networks = {
      '198.51.100.0/24': inCountry('DE'),
      '203.0.113.0/25': inCountry('FR'),
      '203.0.113.128/25': inCountry('JP'),
    };
    writeFileSync(path, mmdb({ networks }));
    return { GSLS_GEO_FILE: path, GSLS_TRUST_PROXY: 'loopback' };
  });

  before(async () => {
    for (const [server_name, server_ip, country] of [
      ['far', '203.0.113.200', undefined],
      ['on the continent', '203.0.113.7', undefined],
      ['in the country', '203.0.113.201', 'DE'],
      ['nowhere', '192.0.2.1', undefined],
    ] as const)
      await service.broadcast({ server_name, server_ip, ...(country && { country }) });
  });

  const namesFor = async (from: string): Promise<readonly string[]> => {
    const headers = { 'X-Forwarded-For': from };
    const { text, headers: told } = await ask(service, 'GET /servers?sort=near', { headers });
    expect(told['cache-control']).to.equal('private, no-store');
    expect(text).to.not.include('near_ms');
    return (JSON.parse(text) as { servers: Row[] }).servers.map(({ name }) => name);
  };

  it('begin with the country of the reader, then its continent', async () => {
    expect(await namesFor('198.51.100.1')).to.deep.equal([
      'in the country',
      'on the continent',
      'far',
      'nowhere',
    ]);
    expect((await namesFor('203.0.113.129'))[0]).to.equal('far');
  });

  it('keep their order for a reader of whom no country is known', async () => {
    expect((await namesFor('192.0.2.9'))[0]).to.equal('far');
  });

  it('are no filter, and need what the reader measured for that', async () => {
    expectWrongNear(await ask(service, 'GET /servers?sort=near&near=..80'));
  });
});

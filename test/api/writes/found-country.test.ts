/** The country of a game server that names none, found by its address where its writes become an entry. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { CountryOf } from '../../../src/api/http/context.ts';
import { createPingParser, parseBroadcast } from '../../../src/api/writes/validation.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { saysTheSame, type ListedGameServer } from '../../../src/model/game-server.ts';
import { ask, expectWrongFields } from '../../support/ask.ts';
import { aBroadcast, anEntry } from '../../support/builders.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { needs } from '../../support/needs.ts';
import { useRedis } from '../../support/redis-server.ts';
import { runs } from '../../support/runs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

const GERMAN = '203.0.113.7';
const FRENCH = '198.51.100.7';
const NOWHERE = '192.0.2.7';

const FILE = mmdb({
  networks: { '203.0.113.0/24': inCountry('DE'), '198.51.100.0/24': inCountry('FR') },
});

interface Told {
  readonly country?: string;
  readonly country_found?: boolean;
  readonly map?: string;
}

async function told(service: { readonly url: string }, id: string): Promise<Told> {
  const { text } = await ask(service, `GET /servers/${id}`);
  const { country, country_found: isFound, map } = (JSON.parse(text) as { server: Told }).server;
  return { ...(country && { country }), ...(isFound && { country_found: isFound }), ...(map && { map }) };
}

const FOUND = { country: 'DE', country_found: true };

describe('the country of a game server, with --geo-file', () => {
  const newPath = useDirectory();
  const schema = {
    properties: { country: { enum: ['AT'] } },
    additionalProperties: false,
    type: 'object',
  };
  const environment = (more: Readonly<Record<string, string>> = {}) => {
    const path = newPath();
    writeFileSync(path, FILE);
    return { GSLS_GEO_FILE: path, ...more };
  };
  const service = useService(() => environment());

  const ping = (id: string, overrides: Record<string, unknown> = {}, headers = {}) =>
    ask(service, 'POST /ping', {
      body: aBroadcast({ server_id: id, server_ip: GERMAN, ...overrides }),
      headers,
    });

  it('is found by its address, and marked as found', async () => {
    const id = await service.broadcast({ server_ip: GERMAN });
    expect(await told(service, id)).to.deep.equal(FOUND);
    expect(await told(service, await service.broadcast({ server_ip: NOWHERE }))).to.deep.equal({});
    const { text } = await ask(service, `GET /servers?country=de,fr&id=${id}`);
    expect(JSON.parse(text)).to.have.property('count', 1);
    const stats = JSON.parse((await ask(service, `GET /stats?id=${id}`)).text) as object;
    expect(stats).to.have.deep.property('countries', [{ value: 'DE', servers: 1, players: 3 }]);
  });

  it('is the one that it names itself, whenever it does', async () => {
    const id = await service.broadcast({ server_ip: GERMAN, country: 'AT' });
    expect(await told(service, id)).to.deep.equal({ country: 'AT' });
    await ping(id);
    expect(await told(service, id)).to.deep.equal({ country: 'AT' });
    await ping(id, { map: 'a' });
    expect(await told(service, id)).to.deep.equal({ ...FOUND, map: 'a' });
    await ping(id, { country: 'DE' });
    expect(await told(service, id)).to.deep.equal({ country: 'DE' });
  });

  it('cannot be marked as found by the game server', async () => {
    const said = { country: 'AT', country_found: true };
    const id = await service.broadcast({ server_ip: GERMAN, ...said });
    expect(await told(service, id)).to.deep.equal({ country: 'AT' });
    await ping(id, said);
    expect(await told(service, id)).to.deep.equal({ country: 'AT' });
  });

  it('stays through pings that name other details or none, and changes nothing by that', async () => {
    const id = await service.broadcast({ server_ip: GERMAN, map: 'a' });
    const before = (await ask(service, 'GET /changes')).headers.etag;
    for (const said of [{}, { map: 'a' }, {}, { map: 'a' }, { map: 'a' }]) await ping(id, said);
    expect((await ask(service, 'GET /changes')).headers.etag).to.equal(before);
    expect(await told(service, id)).to.deep.equal({ ...FOUND, map: 'a' });
    await ping(id, { map: 'b' });
    expect(await told(service, id)).to.deep.equal({ ...FOUND, map: 'b' });
    await ping(id, { server_name: 'Another' });
    expect(await told(service, id)).to.deep.equal({ ...FOUND, map: 'b' });
  });

  it('is another one at another address', async () => {
    const first = await ask(service, 'POST /broadcast', {
      body: aBroadcast({ server_ip: GERMAN }),
      headers: { 'Server-Token': 'claim' },
    });
    const headers = { 'Server-Token': first.headers['server-token'] };
    await ask(service, 'POST /broadcast', { body: aBroadcast({ server_ip: FRENCH }), headers });
    expect(await told(service, first.body.server_id!)).to.deep.equal({ country: 'FR', country_found: true });
    await ask(service, 'POST /broadcast', { body: aBroadcast({ server_ip: NOWHERE }), headers });
    expect(await told(service, first.body.server_id!)).to.deep.equal({});
  });

  it('is judged by the details schema only where the game server names it', async () => {
    const path = newPath();
    writeFileSync(path, JSON.stringify(schema));
    const strict = await startTestService(environment({ GSLS_DETAILS_SCHEMA: path }));
    try {
      const body = aBroadcast({ server_ip: GERMAN });
      const { server_id: id } = (await ask(strict, 'POST /broadcast', { body })).body;
      expect(await told(strict, id!)).to.deep.equal(FOUND);
      const again = await ask(strict, 'POST /ping', { body: { ...body, server_id: id, players: 4 } });
      expect(again.status).to.equal(200);
      const wrong = { ...body, country: 'DE' };
      expectWrongFields(await ask(strict, 'POST /broadcast', { body: wrong }), ['country']);
      expectWrongFields(await ask(strict, 'POST /ping', { body: { ...wrong, server_id: id } }), ['country']);
    } finally {
      await strict.close();
    }
  });

  it('is none without the file', async () => {
    const plain = await startTestService();
    const { body } = await ask(plain, 'POST /broadcast', { body: aBroadcast({ server_ip: GERMAN }) });
    expect(await told(plain, body.server_id!)).to.deep.equal({});
    await plain.close();
  });

  needs('redis-server').describe('on Redis', () => {
    const redis = useRedis();

    it('is the same at every replica, and comes to what was listed before the file was given', async () => {
      const onRedis = { GSLS_REDIS: redis.url };
      const [before, one, other] = [
        await startTestService(onRedis),
        await startTestService(environment(onRedis)),
        await startTestService(environment(onRedis)),
      ];
      try {
        const ids: string[] = [];
        for (const said of [{}, { map: 'a' }, { country: 'AT' }]) {
          const body = aBroadcast({ server_ip: GERMAN, ...said });
          ids.push((await ask(before, 'POST /broadcast', { body })).body.server_id!);
          ids.push((await ask(one, 'POST /broadcast', { body })).body.server_id!);
        }
        const list = async (at: typeof one) => (await ask(at, 'GET /servers')).text;
        const pingAll = async (at: typeof one): Promise<void> => {
          await list(at);
          for (const [index, id] of ids.entries()) {
            const said = [{}, { map: 'a' }, { country: 'AT' }][index >> 1];
            const body = aBroadcast({ server_ip: GERMAN, server_id: id, ...said });
            expect((await ask(at, 'POST /ping', { body })).status).to.equal(200);
          }
        };
        await pingAll(one);
        for (const [index, id] of ids.entries())
          expect(await told(one, id)).to.deep.equal(
            [FOUND, { ...FOUND, map: 'a' }, { country: 'AT' }][index >> 1],
          );
        expect(await list(other)).to.equal(await list(one));
        const version = await redis.client.hget('{gsls}:state', 'version');
        expect(version).to.be.a('string');
        for (const at of [one, other, one]) await pingAll(at);
        expect(await redis.client.hget('{gsls}:state', 'version')).to.equal(version);
        expect(await list(other)).to.equal(await list(before));
      } finally {
        await Promise.all([before, one, other].map((each) => each.close()));
      }
    });
  });
});

describe('the country that a ping brings', () => {
  /** A game server, and what it says of itself. */
  const anyPing = fc.record({
    said: fc.option(
      fc.record(
        { country: fc.constantFrom('DE', 'AT'), map: fc.constantFrom('a', 'b'), password: fc.boolean() },
        { requiredKeys: [] },
      ),
    ),
    name: fc.constantFrom('A', 'B'),
    found: fc.constantFrom(undefined, 'DE', 'FR'),
    isReadAnew: fc.boolean(),
  });

  it('is its own word, or else what is found now, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(anyPing, { minLength: 1, maxLength: 12 }), (pings) => {
        let found: string | undefined = 'FR';
        let entry: ListedGameServer = anEntry(
          parseBroadcast(aBroadcast(), undefined, () => found).gameServer,
        );
        const parse = createPingParser(
          undefined,
          () => entry,
          () => found,
        );
        let said: object = {};
        for (const { said: now, name, found: foundNow, isReadAnew } of pings) {
          found = foundNow;
          const fields = { ...aBroadcast({ server_id: entry.id, server_name: name }), ...now };
          for (const isRepetition of [false, true]) {
            const { gameServer } = parse(fields);
            if (isRepetition) expect(saysTheSame(gameServer, entry)).to.equal(true);
            const { details = entry.details } = gameServer;
            // A replica on Redis reads the details of its copy from their text.
            entry = { ...entry, ...gameServer, details: isReadAnew ? Details.parse(details.text) : details };
          }
          if (now !== null && Object.keys(now).length > 0) said = now;
          const own = said as { readonly country?: string };
          expect(entry.details.fields).to.deep.equal({
            ...(found !== undefined && own.country === undefined && { country: found, country_found: true }),
            ...own,
          });
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('costs one question for each ping, and what is found is not checked again', () => {
    let asked = 0;
    const countryOf: CountryOf = () => {
      asked += 1;
      return 'DE';
    };
    let checked = 0;
    const rule = () => {
      checked += 1;
      return [];
    };
    let entry = anEntry(parseBroadcast(aBroadcast({ map: 'a' }), rule, countryOf).gameServer);
    const parse = createPingParser(rule, () => entry, countryOf);
    for (let time = 0; time < 10; time += 1) {
      const { gameServer } = parse(aBroadcast({ server_id: entry.id, map: 'a' }));
      entry = { ...entry, ...gameServer, details: gameServer.details! };
    }
    expect([asked, checked]).to.deep.equal([11, 2]);
  });
});

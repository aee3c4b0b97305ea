/** The countries of game servers that other protocols list, and where the lists of these protocols show them. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { continentOf } from '../../src/model/country.ts';
import { Details } from '../../src/model/fields/details.ts';
import { renderNativeRow } from '../../src/protocols/ddnet/servers-json.ts';
import { CONTINENTS, LUANTI_FORM, withContinent } from '../../src/protocols/luanti/luanti-form.ts';
import type { Service } from '../../src/service/service.ts';
import { ask } from '../support/ask.ts';
import { anEntry } from '../support/builders.ts';
import { ddnetDriver } from '../support/ddnet/ddnet-driver.ts';
import { readAsClient } from '../support/ddnet/read-as-client.ts';
import { dpmasterDriver } from '../support/dpmaster/dpmaster-driver.ts';
import { inCountry, mmdb } from '../support/mmdb.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { luantiDriver } from './luanti/luanti-driver.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const COUNTRIES = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(continentOf);

async function textOf(service: Service, path: string): Promise<string> {
  return (await ask(service, `GET ${path}`)).text;
}

describe('a game server that another protocol lists, with --geo-file', () => {
  const newPath = useDirectory();
  let geoFile: string;
  before(() => {
    geoFile = newPath();
    const networks = {
      '127.0.0.0/8': inCountry('DE'),
      '203.0.113.0/24': inCountry('AQ'),
      '2001:db8::/32': inCountry('US'),
    };
    writeFileSync(geoFile, mmdb({ networks }));
  });

  /** What its protocol shows of its country, beside what all lists show. */
  const SHOWN: Readonly<Record<string, (service: Service) => Promise<void>>> = {
    async ddnet(service) {
      const list = await textOf(service, '/ddnet/15/servers.json');
      expect(readAsClient(Buffer.from(list))![0]).to.include({ location: 'eu:de' });
    },
    async luanti(service) {
      const { list } = JSON.parse(await textOf(service, '/luanti/list')) as { list: object[] };
      expect(list[0]).to.include({ geo_continent: 'EU' });
    },
    dpmaster: async () => undefined,
  };

  for (const driver of [ddnetDriver, luantiDriver, dpmasterDriver])
    it(`has its country by ${driver.protocol}, and changes nothing by the next heartbeat`, async () => {
      const environment = await driver.environment();
      const service = await startTestService({ ...environment, GSLS_GEO_FILE: geoFile });
      const server = await driver.open();
      try {
        const at = { url: service.url, environment };
        const says = { name: 'A server', players: 3, maxPlayers: 8 };
        expect(await server.announce(at, says)).to.equal('taken');
        let listed: readonly object[] = [];
        await until(async () => {
          listed = (
            JSON.parse(await textOf(service, `/servers?protocol=${driver.protocol}`)) as { servers: object[] }
          ).servers;
          return listed.length === 1;
        });
        expect(listed[0]).to.include({ country: 'DE', country_found: true });
        await SHOWN[driver.protocol]!(service);
        if (driver.protocol === 'ddnet') {
          const { etag } = (await ask(service, 'GET /servers')).headers;
          expect(await server.announce(at, says)).to.equal('taken');
          expect((await ask(service, 'GET /servers')).headers.etag).to.equal(etag);
        }
      } finally {
        await server.close();
        await service.close();
      }
    });

  it('asks by Luanti for the continent of the asker, which no cache keeps', async () => {
    const service = await startTestService({
      GSLS_PROTOCOLS: 'luanti',
      GSLS_GEO_FILE: geoFile,
      GSLS_TRUST_PROXY: 'loopback',
    });
    try {
      const geoip = (from?: string) =>
        ask(service, 'GET /luanti/geoip', { headers: from === undefined ? {} : { 'X-Forwarded-For': from } });
      const { text, headers } = await geoip();
      expect([text, headers['cache-control'], headers.etag]).to.deep.equal([
        '{"continent":"EU"}',
        'private, no-store',
        undefined,
      ]);
      expect((await geoip('2001:db8::7')).text).to.equal('{"continent":"NA"}');
      expect((await geoip('198.51.100.7')).text).to.equal('{}');
      // Antarctica, which stops clients.
      expect((await geoip('203.0.113.7')).text).to.equal('{}');
      // The proxy names nobody.
      expect((await geoip('unknown')).text).to.equal('{}');
    } finally {
      await service.close();
    }
  });
});

/** The table of estimate_continent_latency() in Luanti's main menu, which indexes it by what it does not have. */
const LATENCIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  NA: { SA: 140, EU: 150, AF: 220, AS: 170, OC: 180 },
  SA: { EU: 240, AF: 300, AS: 300, OC: 300 },
  EU: { AF: 110, AS: 200, OC: 280 },
  AF: { AS: 320, OC: 350 },
  AS: { OC: 150 },
  OC: {},
};
const estimated = (own: string | undefined, there: string | undefined): number | undefined =>
  own === undefined || there === undefined
    ? undefined
    : own === there
      ? 0
      : (LATENCIES[there]?.[own] ?? LATENCIES[own]![there]);

/** A German game server of DDNet that says this region, as it is listed. */
function locatedBy(region: string): string {
  const links = ['tw-0.6+udp://192.0.2.1:8303'];
  const details = Details.of({ protocol: 'ddnet', links, region, country: 'DE' });
  return renderNativeRow(anEntry({ details }), '{}')!.text;
}

describe('the continent of a country', () => {
  it('is for clients of Luanti one that they can estimate with, or none', () => {
    const continents = new Set(
      COUNTRIES.map(continentOf).map((each) => (CONTINENTS.has(each) ? each : undefined)),
    );
    expect([...continents].filter((each) => each !== undefined)).to.have.members(Object.keys(LATENCIES));
    for (const own of continents)
      for (const there of continents)
        expect(estimated(own, there)).to.satisfy(
          (ms: number | undefined) => (ms === undefined) === (own === undefined || there === undefined),
        );
  });

  it('is in a mirrored list of Luanti what clients know, or it is left out', () => {
    const entry = {
      name: 'a',
      description: '',
      version: '5',
      gameid: 'g',
      clients: 0,
      clients_max: 1,
      uptime: 0,
      game_time: 0,
      proto_min: 1,
      proto_max: 2,
      ping: 0,
      clients_top: 0,
      pop_v: 0,
      address: 'a.example',
      port: 1,
    };
    const document = JSON.stringify(entry);
    const read = (continent: unknown) => LUANTI_FORM.read({ ...entry, geo_continent: continent })?.text;
    expect(read('OC')).to.equal(withContinent(document, 'OC')).and.to.include('"geo_continent":"OC"}');
    for (const wrong of ['AN', 'eu', '', null, ['EU'], { EU: 1 }, 5, undefined])
      expect(read(wrong)).to.equal(document);
  });

  it('is for clients of DDNet a location of every country', () => {
    for (const country of COUNTRIES) {
      const details = Details.of({ protocol: 'ddnet', links: ['tw-0.6+udp://192.0.2.1:8303'], country });
      const info = JSON.stringify({
        name: 'a',
        map: { name: 'm' },
        game_type: 'dm',
        version: '1',
        clients: [],
        max_clients: 1,
        max_players: 1,
        passworded: false,
      });
      const { text } = renderNativeRow(anEntry({ details }), info)!;
      expect(text).to.include(`"location":"${continentOf(country)!.toLowerCase()}:${country.toLowerCase()}"`);
      expect(readAsClient(Buffer.from(`{"servers":[${text}]}`)), country).to.have.length(1);
    }
  });

  it('gives way in a list of DDNet to a region that clients know', () => {
    expect(locatedBy('na:us')).to.include('"location":"na:us"');
    expect(locatedBy('Frankfurt')).to.include('"location":"eu:de"');
  });
});

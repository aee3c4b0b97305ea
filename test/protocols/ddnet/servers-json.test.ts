/** The list that clients of DDNet read: none of it may cost them the whole of it. */

import { expect } from 'chai';
import { addressesOf } from '../../../src/protocols/ddnet/server-info.ts';
import { renderNativeRow } from '../../../src/protocols/ddnet/servers-json.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { ask } from '../../support/ask.ts';
import { anEntry } from '../../support/builders.ts';
import { anInfo, DdnetGameServer } from '../../support/ddnet/ddnet-game-server.ts';
import { ageForClient, readAsClient } from '../../support/ddnet/read-as-client.ts';
import { useService } from '../../support/use-service.ts';
import { until } from '../../support/until.ts';

const LINK = 'tw-0.6+udp://192.0.2.1:8303';
const LIST = 'GET /ddnet/15/servers.json';

function rendered(fields: Parameters<typeof Details.of>[0], document = '{"a":1}'): string | undefined {
  return renderNativeRow(anEntry({ details: Details.of({ protocol: 'ddnet', ...fields }) }), document)?.text;
}

function placeWith(link: string): string {
  const details = Details.of({ protocol: 'ddnet', links: [link] });
  return String(renderNativeRow(anEntry({ details }), '{}')!.place);
}

describe('an entry of the list of DDNet', () => {
  it('has its addresses, and its info as it came', () => {
    expect(rendered({ links: [LINK] })).to.equal(`{"addresses":["${LINK}"],"info":{"a":1}}`);
  });

  it('has the region as its location where clients know that one, and none otherwise', () => {
    for (const region of ['eu', 'as:cn', 'na:us'])
      expect(rendered({ links: [LINK], region })).to.equal(
        `{"addresses":["${LINK}"],"location":"${region}","info":{"a":1}}`,
      );
    for (const region of ['EU', 'e', 'europe', 'eu:', 'xx', '"', 'eu:de\n'])
      expect(rendered({ links: [LINK], region })).to.not.include('location');
  });

  it('is left out where nothing is left that clients could read', () => {
    expect(rendered({})).to.equal(undefined);
    expect(
      rendered({ links: ['nonsense', 'tw-0.6+udp://192.0.2.1:0', 'tw-0.6+udp://example.com:1'] }),
    ).to.equal(undefined);
    expect(rendered({ links: ['nonsense', LINK] })).to.include(`["${LINK}"]`);
  });

  it('has its place by the numbers of its addresses, as in the original', () => {
    const links = [
      'tw-0.6+udp://9.0.0.1:8303',
      'tw-0.6+udp://10.0.0.1:999',
      'tw-0.5+udp://10.0.0.1:8303',
      'tw-0.6+udp://10.0.0.1:8303',
      'tw-0.7+udp://10.0.0.1:8303',
      'tw-0.6+udp://10.0.0.1:10303',
      'tw-0.6+udp://[2001:db8::1]:8303',
      'tw-0.6+udp://[2001:db8:0:1::]:8303',
    ];
    expect(links.toReversed().toSorted((a, b) => (placeWith(a) < placeWith(b) ? -1 : 1))).to.deep.equal(
      links,
    );
    expect(addressesOf(links.toReversed()).map(({ port }) => port)).to.deep.equal([
      8303, 999, 8303, 8303, 8303, 10303, 8303, 8303,
    ]);
  });
});

describe('the list of DDNet', () => {
  const service = useService({ GSLS_PROTOCOLS: 'ddnet' });
  const opened: DdnetGameServer[] = [];
  afterEach(async () => {
    for (const server of opened.splice(0)) {
      await server.delete(service.url);
      await server.close();
    }
  });

  async function listed(info: object): Promise<DdnetGameServer> {
    const server = await DdnetGameServer.open();
    opened.push(server);
    expect(await server.registerWith(service.url, info)).to.include({ status: 'success' });
    return server;
  }

  it('is an empty one before any game server has registered', async () => {
    const { status, text, headers } = await ask(service, LIST);
    expect({ status, text }).to.deep.equal({ status: 200, text: '{"servers":[]}\n' });
    expect(headers['content-type']).to.match(/^application\/json/);
  });

  it('is fresh for clients by its date, with and without its body', async () => {
    for (const call of [LIST, 'HEAD /ddnet/15/servers.json']) {
      const { status, headers } = await ask(service, call);
      expect(status).to.equal(200);
      expect(ageForClient(headers)).to.be.below(15);
    }
    const { headers } = await ask(service, LIST);
    const again = await ask(service, LIST, { headers: { 'If-None-Match': headers.etag } });
    expect(again.status).to.equal(304);
    expect(ageForClient(again.headers)).to.be.below(15);
  });

  it('loses none of the others by a server whose info is hostile', async () => {
    const hostile: readonly object[] = [
      anInfo({ name: '\u0007\u202e^1"\\\u0000</script>' }),
      anInfo({ name: 'x'.repeat(30_000) }),
      anInfo({ clients: null, map: 7, max_clients: '64' }),
      { addresses: 7, location: null, servers: {} },
      {},
    ];
    for (const info of hostile) await listed(info);
    const honest = await listed(anInfo({ name: 'Honest' }));
    const own = { name: 'Honest', addresses: [`tw-0.6+udp://127.0.0.1:${honest.port}`] };
    await until(async () => {
      const read = readAsClient((await ask(service, LIST)).bytes);
      expect(read, 'the whole list').to.not.equal(undefined);
      return read!.some(({ name }) => name === 'Honest');
    });
    const { bytes } = await ask(service, LIST);
    expect(readAsClient(bytes)).to.deep.include(own);
    expect((JSON.parse(bytes.toString()) as { servers: unknown[] }).servers).to.have.length(
      hostile.length + 1,
    );
    expect((await ask(service, 'GET /servers?protocol=ddnet')).body.servers).to.have.length(
      hostile.length + 1,
    );
  });
});

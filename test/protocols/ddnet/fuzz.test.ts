/**
 * The parsers of DDNet against what a stranger may send. Each is taken or refused in the words of the protocol; and
 * whatever is taken, clients can read the list with it.
 */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { MOST_DOCUMENT_BYTES } from '../../../src/registry/native-entries.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { linkOf, parseLink } from '../../../src/protocols/ddnet/address.ts';
import { parseRegistration, RegisterError } from '../../../src/protocols/ddnet/registration.ts';
import { describerOf, parseInfo } from '../../../src/protocols/ddnet/server-info.ts';
import { renderNativeRow } from '../../../src/protocols/ddnet/servers-json.ts';
import { anEntry } from '../../support/builders.ts';
import { aClient, anInfo } from '../../support/ddnet/ddnet-game-server.ts';
import { readAsClient } from '../../support/ddnet/read-as-client.ts';
import { runs } from '../../support/runs.ts';

const EACH = { numRuns: runs(1000) };

/** What the parser returns; undefined where it refuses in the words of the protocol. Any other error is a failure. */
function taken<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    expect(error).to.be.instanceOf(RegisterError);
    expect((error as RegisterError).status).to.be.oneOf([400, 413, 415]);
    return undefined;
  }
}

/** A text of HTTP: any bytes but line breaks, as Node reads them. */
const headerText = fc.string({
  unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 80,
});
const port = fc.oneof(fc.nat(70_000).map(String), fc.constantFrom('', '-1', '1e3', '0x20', ' 80', '08303'));
const address = fc
  .tuple(
    fc.constantFrom('tw-0.5+udp', 'tw-0.6+udp', 'tw-0.7+udp', 'TW-0.6+UDP', 'http', 'tw-0.6+tcp', ''),
    fc.constantFrom('connecting-address.invalid', 'u:p@connecting-address.invalid', '127.0.0.1', '[::1]', ''),
    port,
    fc.constantFrom('', '/', '/x?y#z', '\t'),
  )
  .map(([scheme, host, number, rest]) => `${scheme}://${host}:${number}${rest}`);

const headers = fc.record(
  {
    address: fc.oneof({ weight: 4, arbitrary: address }, headerText),
    secret: headerText,
    'challenge-secret': headerText,
    'challenge-token': headerText,
    'connless-token': fc.oneof(fc.stringMatching(/^[\da-f]{7,9}$/), headerText),
    'info-serial': fc.oneof(fc.bigInt().map(String), fc.integer().map(String), headerText),
    'content-type': fc.oneof(fc.constant('application/json'), headerText),
    action: fc.oneof(fc.constant('delete'), headerText),
  },
  { requiredKeys: [] },
);

/** As a game server sends them, but for some. */
const nearlyUsual = headers.map((odd) => ({
  address: 'tw-0.6+udp://connecting-address.invalid:8303',
  secret: 'secret',
  'challenge-secret': 'challenge',
  'info-serial': '1',
  ...Object.fromEntries(Object.entries(odd).slice(0, 2)),
}));

const text = fc.string({ unit: 'binary', maxLength: 40 });
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom(-1, 1.5, 1e300, 2 ** 53, '\ud800', '\u202e'),
);
const info = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...Object.keys(anInfo()), '__proto__', 'length', 'servers'), value),
    fc.boolean(),
  )
  .map(([odd, isUsual]) => ({ ...(isUsual && anInfo({ clients: [aClient()] })), ...odd }));

/** JSON of which some bytes are others, and bytes that are no JSON. */
const bytes = fc
  .tuple(info, fc.array(fc.tuple(fc.nat(2000), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }))
  .map(([object, changes]) => {
    const body = Buffer.from(JSON.stringify(object));
    for (const [at, byte] of changes) body[at % body.length] = byte;
    return body;
  });

const LINKS = ['tw-0.6+udp://192.0.2.1:8303', 'tw-0.7+udp://[2001:db8::7]:8303'];
const NEIGHBOUR = renderNativeRow(
  entryWith([LINKS[0]!]),
  JSON.stringify(anInfo({ name: 'Neighbour' })),
)!.text;

function entryWith(links: readonly string[]): ReturnType<typeof anEntry> {
  return anEntry({ details: Details.of({ protocol: 'ddnet', links }) });
}

function expectSound(body: Buffer): void {
  const document = taken(() => parseInfo(body));
  if (document === undefined) return;
  expect(Buffer.byteLength(document)).to.be.at.most(MOST_DOCUMENT_BYTES);
  const { name, players, maxPlayers, details } = describerOf(document, 0)(LINKS);
  for (const [shown, longest] of [
    [name, 128],
    [details?.fields.map, 64],
    [details?.fields.mode, 64],
    [details?.fields.version, 64],
  ] as const) {
    if (shown === undefined) continue;
    expect(shown)
      .to.match(/\S/)
      .and.to.not.match(/[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u);
    expect(shown.length).to.be.at.most(longest);
  }
  for (const count of [players, maxPlayers])
    expect(count).to.satisfy(Number.isSafeInteger).and.to.be.within(0, 1_000_000);
  const rendered = renderNativeRow(entryWith(LINKS), document)!.text;
  const list = Buffer.from(`{"servers":[${[NEIGHBOUR, rendered, NEIGHBOUR].join()}]}\n`);
  expect(readAsClient(list)?.filter((server) => server.name === 'Neighbour')).to.have.length.of.at.least(2);
}

describe('the parsers of DDNet', () => {
  for (const [title, some] of [
    ['headers', headers],
    ['headers that are nearly as usual', nearlyUsual],
  ] as const)
    it(`take or refuse any ${title}`, () => {
      fc.assert(
        fc.property(some, (sent) => {
          const registration = taken(() => parseRegistration(sent));
          if (registration === undefined) return;
          expect(registration.address.port).to.be.within(1, 65_535);
          expect(registration.secret.length).to.be.at.most(64);
          const link = linkOf({ ...registration.address, ip: '192.0.2.1' });
          expect(parseLink(link)).to.deep.equal({ ...registration.address, ip: '192.0.2.1' });
          if (registration.action === 'delete') return;
          expect(registration.infoSerial).to.satisfy(Number.isSafeInteger);
          expect(registration.challengeSecret).to.match(/^[\t -~]{0,64}$/);
          expect(registration.connlessToken?.length).to.be.oneOf([undefined, 4]);
        }),
        EACH,
      );
    });

  it('take or refuse any info, and lose no other server of the list by it', () => {
    fc.assert(
      fc.property(info, (sent) => expectSound(Buffer.from(JSON.stringify(sent)))),
      EACH,
    );
  });

  it('take or refuse any bytes in the place of an info', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          bytes,
          fc.uint8Array({ maxLength: 64 }).map((some) => Buffer.from(some)),
        ),
        expectSound,
      ),
      EACH,
    );
  });
});

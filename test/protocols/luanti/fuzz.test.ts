/** Bodies as no Luanti server sends them: nothing is thrown, and what is taken can be read by every client. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { valuesIn } from '../../../src/protocols/json-document.ts';
import { parseRequest, readForm, type Announced } from '../../../src/protocols/luanti/announcement.ts';
import { whyWrong } from '../../../src/protocols/luanti/address.ts';
import { areOfEntry, createListEntry, describeEntry } from '../../../src/protocols/luanti/list-entry.ts';
import { runs } from '../../support/runs.ts';
import { aStart, anUpdate } from './builders.ts';

/** Half a pair, what Lua and formspecs treat in their own way, controls, colours. */
const PIECES = [
  '\ud800',
  '\udfff',
  '\0',
  '\u001b',
  '\u202e',
  '\u2028',
  "'",
  '"',
  '\\',
  '(',
  ')',
  ']',
  '\n',
  ' ',
  'a',
  '1',
];
const oddText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.constantFrom('true', '-1', '30000', '99999999999', 'NaN', '__proto__'),
);
const oddNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(65535, 65536, 2 ** 32, -1, 1e300));
const oddValue = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.array(oddText, { maxLength: 5 }),
  fc.constantFrom<unknown>({}, [[]], [null], { length: 1 }, { toString: 'a' }),
);

const NAMES = [...Object.keys({ ...aStart(), ...anUpdate() }), '__proto__', 'constructor', 'geo_continent'];

/** An honest announcement, some of it replaced or left out. */
const mutated = fc
  .tuple(
    fc.constantFrom(aStart(), anUpdate()),
    fc.dictionary(fc.constantFrom(...NAMES), oddValue, { maxKeys: 4, noNullPrototype: true }),
  )
  .map(([honest, odd]) => JSON.stringify({ ...honest, ...odd }));

/** Its text, damaged. */
const damaged = fc.tuple(mutated, fc.nat(), fc.nat(20), oddText).map(([json, at, length, text]) => {
  const from = at % json.length;
  return json.slice(0, from) + text + json.slice(from + length);
});

const BOUNDARY = '----b';
const odd = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const formBody = fc
  .tuple(damaged, fc.constantFrom('json', 'JSON', ''), odd, fc.nat(200), fc.nat(10))
  .map(([json, name, bytes, at, length]) => {
    const form = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${json}\r\n--${BOUNDARY}--\r\n`,
    );
    return Buffer.concat([form.subarray(0, at), bytes, form.subarray(at + length)]);
  });

const CONTENT_TYPES = [
  `multipart/form-data; boundary=${BOUNDARY}`,
  `multipart/form-data; boundary="${BOUNDARY}"`,
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=',
  'text/plain',
];

const TEXTS = ['name', 'description', 'version', 'gameid', 'address'];
const NUMBERS = ['clients', 'clients_max', 'uptime', 'game_time', 'proto_min', 'proto_max', 'port', 'ping'];

/** What a client could not read of the entry; undefined if it can read it all. */
function whyUnreadable(announced: Announced): string | undefined {
  const checked = { address: '198.51.100.7', ping: 0.05 };
  const first = createListEntry(announced, checked, undefined);
  const { document, kept } = createListEntry(announced, checked, first);
  if (valuesIn(document, areOfEntry) === undefined) return 'its own document';
  const row = JSON.parse(document) as Record<string, unknown>;
  const { name, players, maxPlayers } = describeEntry(announced, checked.address, checked.address, kept);
  const lists = [row['mods'], row['clients_list']].filter((list) => list !== undefined);
  if (/\\ud[89a-f]/i.test(document)) return 'half a surrogate pair';
  if (TEXTS.some((each) => typeof row[each] !== 'string')) return 'a text';
  if (NUMBERS.some((each) => !Number.isFinite(row[each]))) return 'a number';
  if (lists.some((list) => !Array.isArray(list) || list.some((each) => typeof each !== 'string')))
    return 'a list';
  if (!Object.values(kept).every(Number.isFinite)) return 'what is kept';
  if (!/^[^\p{Cc}\u202e]{1,128}$/u.test(name)) return 'the name';
  return Math.max(players, maxPlayers) > 65_535 ? 'the players' : undefined;
}

describe('odd announcements to Luanti', () => {
  for (const [what, json] of [
    ['with odd values', mutated],
    ['that are damaged', damaged],
  ] as const)
    it(`${what} are refused, or can be read by every client`, function () {
      this.timeout(120_000);
      fc.assert(
        fc.property(json, (text) => {
          const request = parseRequest(text);
          if (!('status' in request) && request.action !== 'delete') {
            whyWrong(request.address, true);
            expect(whyUnreadable(request)).to.equal(undefined);
          }
        }),
        { numRuns: runs(2000) },
      );
    });

  it('in odd forms are refused, or read', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(formBody, fc.constantFrom(...CONTENT_TYPES), async (body, contentType) => {
        const json = await readForm(body, contentType);
        if (typeof json === 'string') parseRequest(json);
        else expect(json.status).to.be.oneOf([400, 413]);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** The file of --details-schema: what it may say, and what is wrong with details by it. */

import { expect } from 'chai';
import type { DetailFields } from '../../../src/model/fields/detail-fields.ts';
import { UsageError } from '../../../src/runtime/usage-error.ts';
import type { DetailsRule } from '../../../src/api/writes/validation.ts';
import { openDetailsRule } from '../../../src/api/writes/details-rule.ts';
import type { Config } from '../../../src/service/config/config.ts';
import { complaintOf, configOf } from '../../service/config/config-of.ts';

const flags = { detailsSchema: ['/etc/details.json'] };
const sources = (text: string) => ({ flags, files: { '/etc/details.json': text } });
const openOf = ({ detailsSchema, detailsSchemaJson }: Config): Promise<DetailsRule | undefined> =>
  openDetailsRule(detailsSchema, detailsSchemaJson);
const open = (text: string): Promise<DetailsRule | undefined> => openOf(configOf(sources(text)));
/** What is wrong with the details, as `field message`. */
async function problems(schema: object, details: DetailFields): Promise<string[]> {
  const rule = await open(JSON.stringify(schema));
  return rule!(details).map(({ field, message }) => `${field} ${message}`);
}

const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('a details schema', () => {
  it('is none by default', async () => {
    expect(await openOf(configOf({}))).to.equal(undefined);
  });

  it('can be given by variable, and begin with a byte order mark', async () => {
    const environment = { GSLS_DETAILS_SCHEMA: '/etc/details.json' };
    const config = configOf({ environment, files: { '/etc/details.json': '\uFEFF{}' } });
    expect((await openOf(config))!({ map: 'any' })).to.deep.equal([]);
  });

  it('requires and narrows details, and names of each wrong one what it must be', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'what our players look for',
      required: ['map', 'region'],
      properties: {
        map: { pattern: '^de_' },
        region: { enum: ['eu', 'na'] },
        password: { const: false },
        tags: { items: { enum: ['pvp', 'pve'] } },
        addresses: false,
        meta: { required: ['level'], properties: { level: { minimum: 1 } }, additionalProperties: false },
      },
    };
    expect(await problems(schema, {})).to.have.members(['map is missing', 'region is missing']);
    expect(
      await problems(schema, { map: 'de_dust2', region: 'eu', password: false, tags: ['pve'] }),
    ).to.deep.equal([]);
    const wrong = {
      map: 'cs_office',
      region: 'asia',
      password: true,
      tags: ['pvp', 'rp'],
      addresses: [],
      meta: { owner: 'me' },
    };
    expect(await problems(schema, wrong)).to.have.members([
      'map must match pattern "^de_"',
      'region must be one of eu, na',
      'password must be false',
      'tags at 1 must be one of pvp, pve',
      'addresses is not wanted here',
      'meta at level is missing',
    ]);
    const close = { map: 'de_nuke', region: 'na', meta: { level: 0 } };
    expect(await problems(schema, close)).to.deep.equal(['meta at level must be >= 1']);
  });

  it('may refuse all details but some, and say what goes with what', async () => {
    const only = { properties: { map: true }, additionalProperties: false };
    expect(await problems(only, { map: 'a', mode: 'b' })).to.deep.equal(['mode is not wanted here']);
    const together = { $schema: DRAFT_2020, dependentRequired: { map: ['mode'] } };
    expect(await problems(together, { map: 'a' })).to.deep.equal(['mode is missing']);
    expect(await problems({ minProperties: 2 }, { map: 'a' })).to.deep.equal([
      'details must NOT have fewer than 2 properties',
    ]);
  });

  it('may be of JSON schema 2020-12', async () => {
    const schema = { $schema: DRAFT_2020, properties: { tags: { prefixItems: [{ const: 'ranked' }] } } };
    expect(await problems(schema, { tags: ['casual'] })).to.deep.equal(['tags at 0 must be ranked']);
  });

  const BROKEN: readonly (readonly [what: string, text: string, complaint: RegExp])[] = [
    [
      'is no object',
      'true',
      /^the details schema \/etc\/details\.json cannot be used: it must be a JSON object$/,
    ],
    ['has a word that is misspelt', '{"requierd":["map"]}', /unknown keyword: "requierd"$/],
    ['has a type that there is not', '{"type":"objekt"}', /schema is invalid: data\/type must be /],
    ['has a broken pattern', '{"properties":{"map":{"pattern":"("}}}', /Invalid regular expression: /],
    ['has a format that is unknown', '{"properties":{"map":{"format":"email"}}}', /unknown format "email"/],
    [
      'points elsewhere',
      '{"$ref":"https://example.com/x.json"}',
      /can't resolve reference https:\/\/example\.com/,
    ],
    ['is of another JSON schema', '{"$schema":"https://example.com/x"}', /no schema with key or ref/],
    ['would be checked later', '{"$async":true}', /it must not have \$async$/],
    [
      'requires what is no detail',
      '{"required":["gamemode"]}',
      /it names "gamemode", which is none of map, mode, version, region, country, password, tags, addresses, latency, meta$/,
    ],
    ['narrows what is no detail', '{"properties":{"Map":{}}}', /it names "Map", which is none of /],
  ];
  for (const [what, text, complaint] of BROKEN)
    it(`that ${what} is refused in one line`, async () => {
      const refused = await open(text).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(UsageError);
      expect((refused as Error).message).to.match(complaint);
    });

  it('that is no JSON, or cannot be read, is refused in one line', () => {
    expect(complaintOf(sources('{"properties":\n'))).to.match(
      /^the details schema \/etc\/details\.json is not valid JSON: /,
    );
    expect(complaintOf({ flags })).to.match(
      /^the details schema \/etc\/details\.json cannot be read: ENOENT/,
    );
    expect(complaintOf({ flags: { detailsSchema: [''] } })).to.equal(
      '--details-schema must be the path of a file',
    );
  });
});

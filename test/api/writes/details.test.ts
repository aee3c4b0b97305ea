/** What game servers say of themselves beyond the seven fields, as it comes in by broadcast and ping. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { DetailFields, Json } from '../../../src/model/fields/detail-fields.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { createListener } from '../../support/create-listener.ts';
import { configOf } from '../../service/config/config-of.ts';
import { ask, expectWrongFields, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast, textOf } from '../../support/builders.ts';
import { listen } from '../../support/listen.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { runs } from '../../support/runs.ts';
import { useService } from '../../support/use-service.ts';
import { silentLogger } from '../../support/start-test-service.ts';

const ALL: DetailFields = {
  map: 'de_dust2',
  mode: 'Bomb defusal',
  version: '1.39.2.8',
  region: 'eu-west',
  password: false,
  tags: ['pvp', 'modded, a bit', '日本語'],
  addresses: [
    { ip: '2001:db8::7', port: 7777 },
    { ip: '198.51.100.7', port: 7778 },
  ],
  meta: { level: 5, mods: ['a', { id: 1, on: true }], owner: null, rate: 0.5 },
};

const TEXTS = { map: 64, mode: 64, version: 64, region: 32 };

/** A meta of so many bytes as JSON. */
const metaOf = (bytes: number): object => ({ a: 'é'.repeat(500), b: 'x'.repeat(bytes - 1000 - 15) });

/** The same with the keys of all objects in reverse. */
const turned = (value: Json): Json =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(turned)
      : Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([key, each]) => [key, turned(each)]),
        );

const textUpTo = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength });
const anyDetails = fc.record(
  {
    map: textUpTo(64),
    mode: textUpTo(64),
    version: textUpTo(64),
    region: textUpTo(32),
    password: fc.boolean(),
    tags: fc.uniqueArray(textUpTo(32), { maxLength: 16 }),
    addresses: fc.array(fc.record({ ip: fc.ipV4(), port: fc.integer({ min: 1, max: 65_535 }) }), {
      maxLength: 8,
    }),
    meta: fc.dictionary(textUpTo(10), fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: [] },
);

describe('the details of a game server', () => {
  let registry: MemoryRegistry;
  let server: Server;

  async function start(environment: Record<string, string> = {}): Promise<void> {
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
    const config = configOf({ environment });
    server = createServer(createListener({ config, registry, lifetime, logger: silentLogger }));
    await listen(server, '127.0.0.1', 0);
  }
  async function stop(): Promise<void> {
    server.close();
    await registry.close();
  }
  before(() => start());
  after(stop);

  function send(call: string, body?: string | object, headers = {}): Promise<TestAnswer> {
    const { port } = server.address() as AddressInfo;
    return ask({ host: '127.0.0.1', port }, call, { headers, ...(body !== undefined && { body }) });
  }
  const broadcast = (fields: object = {}): Promise<TestAnswer> =>
    send('POST /broadcast', aBroadcast({ ...fields }));
  const ping = (id: string, fields: object = {}): Promise<TestAnswer> =>
    send('POST /ping', aBroadcast({ server_id: id, ...fields }));
  const pingByQuery = (id: string, query: string): Promise<TestAnswer> => {
    const fields = new URLSearchParams(aBroadcast({ server_id: id }) as never).toString();
    return send(`GET /ping?${fields}&${query}`);
  };
  /** Broadcasts with the JSON text of a meta. */
  const withMeta = (meta: string): Promise<TestAnswer> =>
    send('POST /broadcast', `{"meta":${meta},${JSON.stringify(aBroadcast()).slice(1)}`);
  /** Lists a game server with these details. */
  async function list(fields: object = {}): Promise<string> {
    const { status, body, text } = await broadcast(fields);
    expect(status, text).to.equal(200);
    return body.server_id!;
  }
  async function textOfListWith(fields: object): Promise<string> {
    await stop();
    await start();
    const id = await list(fields);
    return (await textOf(await registry.list())).replace(id, 'ID');
  }
  const entry = (id: string): ListedGameServer => registry.known(id)!;
  const fieldsOf = (id: string): DetailFields => entry(id).details.fields;

  it('are taken as they are by a broadcast, and by a ping', async () => {
    const id = await list(ALL);
    expect(fieldsOf(id)).to.deep.equal(ALL);
    const changed = { ...ALL, map: 'de_nuke', password: true };
    expect((await ping(id, changed)).text).to.equal('{"status":"success"}');
    expect(fieldsOf(id)).to.deep.equal(changed);
  });

  it('stay as they are at a ping that names none of them', async () => {
    const id = await list(ALL);
    expect((await ping(id, { players: 9 })).status).to.equal(200);
    expect(entry(id)).to.include({ players: 9 });
    expect(fieldsOf(id)).to.deep.equal(ALL);
  });

  it('are replaced all by a ping that names any, even if it takes them all away', async () => {
    for (const [said, left] of [
      [{ map: 'de_nuke' }, { map: 'de_nuke' }],
      [{ password: false }, { password: false }],
      [{ tags: [] }, {}],
      [{ addresses: [] }, {}],
      [{ meta: {} }, {}],
    ]) {
      const id = await list(ALL);
      expect((await ping(id, said)).status).to.equal(200);
      expect(fieldsOf(id)).to.deep.equal(left);
    }
  });

  it('are gone after a broadcast with the token that names none', async () => {
    const first = await send('POST /broadcast', aBroadcast({ ...ALL }), { 'Server-Token': 'claim' });
    const id = first.body.server_id!;
    expect(fieldsOf(id)).to.deep.equal(ALL);
    const token = { 'Server-Token': first.headers['server-token'] };
    expect((await send('POST /broadcast', aBroadcast(), token)).body.server_id).to.equal(id);
    expect(fieldsOf(id)).to.deep.equal({});
  });

  for (const [field, longest] of Object.entries(TEXTS))
    it(`${field} has 1 to ${longest} characters that show themselves`, async () => {
      for (const text of ['x', 'x'.repeat(longest), '\u{1F3AE}'.repeat(longest), ' a b '])
        expect(fieldsOf(await list({ [field]: text }))).to.deep.equal({ [field]: text });
      for (const wrong of [
        '',
        'x'.repeat(longest + 1),
        ' ',
        'a\nb',
        'a\u202eb',
        'a\u200bb',
        '\ud800',
        5,
        null,
      ])
        expectWrongFields(await broadcast({ [field]: wrong }), [field]);
    });

  it('password is true or false', async () => {
    for (const password of [true, false])
      expect(fieldsOf(await list({ password }))).to.deep.equal({ password });
    for (const password of ['true', 1, null, '']) {
      const answer = await broadcast({ password });
      expectWrongFields(answer, ['password']);
      expect(answer.body.error).to.equal('password must be true or false');
    }
  });

  it('tags are up to 16 in their order, and one that is there twice is kept once', async () => {
    const tags = Array.from({ length: 16 }, (_, n) => `tag ${20 - n}`);
    expect(fieldsOf(await list({ tags }))).to.deep.equal({ tags });
    expect(fieldsOf(await list({ tags: ['b', 'a', 'b', 'a'] }))).to.deep.equal({ tags: ['b', 'a'] });
    expectWrongFields(await broadcast({ tags: [...tags, 'one more'] }), ['tags']);
    for (const wrong of [
      'pvp',
      null,
      [''],
      ['x'.repeat(33)],
      [5],
      [['a']],
      ['a', null],
      { 0: 'a' },
      ['\u0000'],
    ])
      expectWrongFields(await broadcast({ tags: wrong }), ['tags']);
  });

  it('addresses are up to 8 in canonical form, and nothing but ip and port of them is kept', async () => {
    const given = [
      { port: 1, ip: '2001:DB8:0::7', zone: 'a' },
      { ip: '::ffff:198.51.100.7', port: 65_535 },
    ];
    const kept = [
      { ip: '2001:db8::7', port: 1 },
      { ip: '198.51.100.7', port: 65_535 },
    ];
    const id = await list({ addresses: given });
    expect(fieldsOf(id)).to.deep.equal({ addresses: kept });
    expect(entry(id).details.text).to.equal(JSON.stringify({ addresses: kept }));
    const one = { ip: '203.0.113.8', port: 7777 };
    await list({ addresses: Array.from({ length: 8 }, () => one) });
    expectWrongFields(await broadcast({ addresses: Array.from({ length: 9 }, () => one) }), ['addresses']);
    const wrong = [{ ip: 'auto' }, { ip: 'example.com' }, { port: 0 }, { port: '7777' }, { port: null }];
    for (const each of wrong)
      expectWrongFields(await broadcast({ addresses: [{ ...one, ...each }] }), ['addresses']);
    for (const each of [one, null, [null], [[]], [{ ip: one.ip }], [{ port: 1 }]])
      expectWrongFields(await broadcast({ addresses: each }), ['addresses']);
  });

  it('meta is any JSON object of up to 2048 bytes and 4 levels', async () => {
    expect(Buffer.byteLength(JSON.stringify(metaOf(2048)))).to.equal(2048);
    for (const meta of [
      metaOf(2048),
      { '': { a: { b: {} } } },
      { a: [[[]]] },
      { a: [0, -1.5, 1e300, null, ''] },
    ])
      expect(fieldsOf(await list({ meta }))).to.deep.equal({ meta });
    for (const wrong of [
      metaOf(2049),
      { a: { b: { c: {} } }, d: { e: { f: { g: {} } } } },
      { a: [[[[]]]] },
      { a: 'b\nc' },
      { 'a\u0000': 1 },
      { a: [{ b: '\u202e' }] },
      { a: '\ud800' },
      [],
      'text',
      null,
    ])
      expectWrongFields(await broadcast({ meta: wrong }), ['meta']);
  });

  it('meta that JSON can say and JavaScript not, or not safely, is refused or does no harm', async () => {
    expectWrongFields(await withMeta('{"a":1e400}'), ['meta']);
    expectWrongFields(await withMeta(`{"a":${'['.repeat(4000)}${']'.repeat(4000)}}`), ['meta']);
    const { body } = await withMeta('{"__proto__":{"polluted":true},"constructor":1,"10":1,"9":2}');
    expect(entry(body.server_id!).details.text).to.equal(
      '{"meta":{"9":2,"10":1,"__proto__":{"polluted":true},"constructor":1}}',
    );
    expect({}).to.not.have.property('polluted');
  });

  it('that are wrong are named all at once, with the other wrong fields, and change nothing', async () => {
    const wrong = { map: '', mode: 5, version: null, region: 'x'.repeat(33), password: 'no', tags: 'a' };
    const more = { addresses: [{}], meta: [], server_name: '', players: -1 };
    const names = ['server_name', 'players', ...Object.keys(wrong), 'addresses', 'meta'];
    expectWrongFields(await broadcast({ ...wrong, ...more }), names);
    const id = await list(ALL);
    expectWrongFields(await ping(id, { ...wrong, ...more }), names);
    expect(fieldsOf(id)).to.deep.equal(ALL);
  });

  it('of a prototype are none', async () => {
    const body = `{"__proto__":{"map":"x","tags":[""]},${JSON.stringify(aBroadcast()).slice(1)}`;
    const answer = await send('POST /broadcast', body);
    expect(fieldsOf(answer.body.server_id!)).to.deep.equal({});
  });

  it('do not change the list, to the byte', async () => {
    expect(await textOfListWith(ALL)).to.equal(await textOfListWith({}));
  });

  it('that are the same are no change, in whatever order they and the keys of meta come', async () => {
    const id = await list(ALL);
    const { version } = entry(id);
    const { snapshot } = await registry.list();
    expect(JSON.stringify(turned(ALL as Json))).to.not.equal(JSON.stringify(ALL));
    for (const fields of [ALL, turned(ALL as Json) as object, {}])
      expect((await ping(id, fields)).status).to.equal(200);
    expect(entry(id).version).to.equal(version);
    expect((await registry.list()).snapshot).to.equal(snapshot);
    await ping(id, { ...ALL, meta: { ...ALL.meta, level: 6 } });
    expect(entry(id).version).to.be.above(version);
  });

  it('that a ping repeats are checked no less when something of them is wrong or has changed', async () => {
    const id = await list(ALL);
    const changes: [object, object | string][] = [
      [{ meta: { ...ALL.meta, level: 6 } }, { meta: { ...ALL.meta, level: 6 } }],
      [{ tags: [...ALL.tags!, 'more'] }, { tags: [...ALL.tags!, 'more'] }],
      [{ tags: ALL.tags!.toReversed() }, { tags: ALL.tags!.toReversed() }],
      [{ tags: { 0: 'pvp', length: 1 } }, 'tags'],
      [{ tags: [...ALL.tags!, 5] }, 'tags'],
      [{ addresses: ALL.addresses!.map((each) => ({ ...each, ip: 'here' })) }, 'addresses'],
      [{ addresses: ALL.addresses!.slice(1) }, { addresses: ALL.addresses!.slice(1) }],
      [{ meta: { ...ALL.meta, mods: { 0: 'a' } } }, { meta: { ...ALL.meta, mods: { 0: 'a' } } }],
      [{ meta: { ...ALL.meta, rate: '\n' } }, 'meta'],
      [{ password: null }, 'password'],
      [{ map: 'de_\u200bdust2' }, 'map'],
    ];
    for (const [change, outcome] of changes) {
      for (let n = 0; n < 3; n += 1) expect((await ping(id, ALL)).status).to.equal(200);
      expect(fieldsOf(id)).to.deep.equal(ALL);
      const answer = await ping(id, { ...ALL, ...change });
      if (typeof outcome === 'string') expectWrongFields(answer, [outcome]);
      else expect(fieldsOf(id)).to.deep.equal({ ...ALL, ...outcome });
    }
    const { map: _, ...without } = ALL;
    await ping(id, without);
    expect(fieldsOf(id)).to.deep.equal(without);
    expectWrongFields(await ping(id, { ...without, server_name: '', players: -1 }), [
      'server_name',
      'players',
    ]);
  });

  it('that are accepted come back the same, whatever they are', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anyDetails, async (fields) => {
        const sent = JSON.parse(JSON.stringify(fields)) as DetailFields;
        const { status, body } = await broadcast(sent);
        if (status !== 200) {
          expect(body.code).to.equal('invalid_request');
          return;
        }
        accepted += 1;
        const { details } = entry(body.server_id!);
        const said = Object.entries(sent).filter(
          ([, value]) => JSON.stringify(value).length > 2 || value === false,
        );
        expect(details.fields).to.deep.equal(Object.fromEntries(said));
        expect(Details.parse(details.text).fields).to.deep.equal(details.fields);
      }),
      { numRuns: runs(200) },
    );
    expect(accepted).to.be.above(runs(20));
  });

  describe('in the query of a ping', () => {
    it('are taken, but for addresses and meta', async () => {
      const id = await list();
      const query = 'map=de_dust2&mode=Bomb+defusal&version=1&region=eu%2Dwest&password=true&tags=a,b';
      expect((await pingByQuery(id, query)).status).to.equal(200);
      const { map, region } = ALL;
      const expected = { map, mode: 'Bomb defusal', version: '1', region, password: true, tags: ['a', 'b'] };
      expect(fieldsOf(id)).to.deep.equal(expected);
    });

    it('are wrong where they are sent by POST alone, and the answer says so', async () => {
      const id = await list();
      const answer = await pingByQuery(id, 'meta={}&addresses=203.0.113.7:7777&map=x');
      expectWrongFields(answer, ['addresses', 'meta']);
      for (const { message } of answer.body.details!) expect(message).to.include('sent by POST');
    });

    for (const [query, tags] of Object.entries({
      'tags=a&tags=b,c': ['a', 'b', 'c'],
      'tags=a%2Cb,c': ['a,b', 'c'],
      'tags=a%2Cb': ['a,b'],
      'tags=a,a&tags=a': ['a'],
      'tags=a+b,%E2%82%AC': ['a b', '€'],
      't%61gs=a': ['a'],
      'tags=a=b': ['a=b'],
      'tags=': undefined,
      tags: undefined,
      'tags=&tags=a': ['a'],
    }))
      it(`${query} names ${tags === undefined ? 'no tag' : tags.map((tag) => `"${tag}"`).join(' and ')}`, async () => {
        const id = await list(ALL);
        expect((await pingByQuery(id, query)).status).to.equal(200);
        expect(fieldsOf(id)).to.deep.equal(tags === undefined ? {} : { tags });
      });

    for (const [query, field] of [
      ['password=yes', 'password'],
      ['password=', 'password'],
      ['password=true&password=true', 'password'],
      ['map=', 'map'],
      ['map=a&map=b', 'map'],
      ['tags=a,,b', 'tags'],
      ['tags=,', 'tags'],
      ['tags=%00', 'tags'],
      [`tags=${Array.from({ length: 17 }, (_, n) => n).join()}`, 'tags'],
    ] as const)
      it(`${query.slice(0, 30)} gets 400`, async () => {
        expectWrongFields(await pingByQuery(await list(), query), [field]);
      });
  });
});

describe('the further addresses of a game server, with --public-addresses-only', () => {
  it('must be reachable from the internet too', async () => {
    const registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
    const config = configOf({ environment: { GSLS_PUBLIC_ADDRESSES_ONLY: 'true' } });
    const server = createServer(createListener({ config, registry, lifetime, logger: silentLogger }));
    await listen(server, '127.0.0.1', 0);
    const { port } = server.address() as AddressInfo;
    const broadcast = (...ips: string[]): Promise<TestAnswer> =>
      ask({ host: '127.0.0.1', port }, 'POST /broadcast', {
        body: aBroadcast({ server_ip: '1.1.1.1', addresses: ips.map((ip) => ({ ip, port: 1 })) }),
      });
    try {
      expect((await broadcast('1.0.0.1', '2606:4700::1111')).status).to.equal(200);
      const refused = await broadcast('1.0.0.1', '::ffff:10.0.0.1');
      expectWrongFields(refused, ['addresses']);
      expect(refused.body.error).to.include('must be reachable from the internet, but ');
      expectWrongFields(await broadcast('10.0.0.1', 'nowhere'), ['addresses']);
    } finally {
      server.close();
      await registry.close();
    }
  });
});

describe('a service that takes large bodies', () => {
  const service = useService({ GSLS_MAX_BODY: '1048576' });

  it('refuses details of any depth', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const meta = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      const body = `{"meta":${meta},${JSON.stringify(aBroadcast()).slice(1)}`;
      expectWrongFields(await ask(service, 'POST /broadcast', { body }), ['meta']);
    }
  });
});

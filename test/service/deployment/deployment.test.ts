/** The configuration file: what is served by it, to whom, and what is wrong with it. */

import { expect } from 'chai';
import { loadConfig, loadDeployment, type Deployment } from '../../../src/service/deployment/deployment.ts';
import { ConfigError, type Config } from '../../../src/service/config/config.ts';
import type { Flags } from '../../../src/service/config/layers.ts';
import { sha256Of } from '../../../src/api/http/key-ring.ts';

const PATH = '/etc/gsls/gsls.yaml';

interface Sources {
  readonly flags?: Flags;
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function load(yaml: string, { flags = {}, environment = {}, files = {} }: Sources = {}): Promise<Deployment> {
  const all: Readonly<Record<string, string>> = { ...files, [PATH]: yaml };
  return loadDeployment({
    flags: { config: [PATH], ...flags },
    environment,
    readFile(path) {
      if (all[path] === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
      return all[path];
    },
  });
}

/** The options that a command gets which serves nothing. */
function configOf(yaml: string): Promise<Config> {
  return loadConfig({ flags: { config: [PATH] }, environment: {}, readFile: () => yaml });
}

async function problemsOf(yaml: string, sources?: Sources): Promise<readonly string[]> {
  const error: unknown = await load(yaml, sources).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(ConfigError);
  return (error as ConfigError).problems;
}

const withKey = (may: string): string =>
  `registries: { a: { protocols: [ddnet] } }\nkeys: [{ name: k, sha256: ${KEY}, may: [${may}] }]`;

const KEY = sha256Of('a key of a game server');

describe('a configuration file', () => {
  it('has options by their long names: texts, numbers, switches, lists and pairs', async () => {
    const { config, registries, isNamed } = await load(`
      port: 8080
      public-addresses-only: true
      protocols: [ddnet, luanti]
      page-regions: { eu: Europe, us: America }
      ttl: 30
    `);
    expect(config).to.deep.include({ port: 8080, publicAddressesOnly: true, ttl: 30 });
    expect(config.protocols).to.deep.equal(['ddnet', 'luanti']);
    expect(config.pageRegions).to.deep.equal({ eu: 'Europe', us: 'America' });
    expect(isNamed).to.equal(false);
    const keys = { areNeeded: false, mayAnnounce: false, mayModerate: false };
    expect(registries).to.deep.equal([{ name: '', path: '', hosts: [], config, keys }]);
  });

  it('may be JSON, and name its schema', async () => {
    const { config } = await load('{ "$schema": "config.schema.json", "port": 1 }');
    expect(config.port).to.equal(1);
  });

  it('is less than a variable, which is less than a flag, and less than what a registry has of its own', async () => {
    const yaml = `
      ttl: 10
      max-servers: 11
      keep-id: 12
      max-stale: 13
      registries: { racer: { ttl: 99 }, shooter: }
    `;
    const { registries } = await load(yaml, {
      flags: { ttl: ['20'], maxServers: ['21'] },
      environment: { GSLS_MAX_SERVERS: '31', GSLS_KEEP_ID: '32' },
    });
    const values = registries.map(({ config: { ttl, maxServers, keepId, maxStale } }) => [
      ttl,
      maxServers,
      keepId,
      maxStale,
    ]);
    expect(values).to.deep.equal([
      [99, 21, 32, 13],
      [20, 21, 32, 13],
    ]);
  });

  it('may say for all registries what each completes', async () => {
    const { registries } = await load(`
      dpmaster-host: 127.0.0.1
      quota-exempt: [10.0.0.0/8]
      registries: { quake: { dpmaster-port: 27950 }, racer: { max-servers: 5 }, plain: }
    `);
    expect(registries.map(({ config }) => config.dpmasterPort)).to.deep.equal([27950, undefined, undefined]);
  });

  it('places registries at a path, at hosts or at both, and by default at the path of their name', async () => {
    const { registries, isNamed } = await load(`
      registries:
        racer: { path: /racer, hosts: [Racer.list.example.com], title: Racer }
        shooter:
        arena: { hosts: arena.example.com }
        main: { path: / }
    `);
    expect(isNamed).to.equal(true);
    expect(registries.map(({ name, path, hosts }) => [name, path, hosts])).to.deep.equal([
      ['racer', '/racer', ['racer.list.example.com']],
      ['shooter', '/shooter', []],
      ['arena', undefined, ['arena.example.com']],
      ['main', '', []],
    ]);
    expect(registries[0]!.config).to.include({ registry: 'racer', pageTitle: 'Racer' });
  });

  it('gives each registry a file in the folder of data, a schema, and its own public address', async () => {
    const { registries } = await load(`
      data-file: data
      public-url: https://list.example.com
      registries: { racer: { details: { require: [version] } }, shooter: { public-url: https://shooter.example } }
    `);
    const [racer, shooter] = registries.map(({ config }) => config);
    expect(racer!.dataFile).to.equal('/etc/gsls/data/racer.data');
    expect(racer!.detailsSchemaJson).to.deep.equal({ type: 'object', required: ['version'] });
    expect(racer!.publicUrl).to.match(/^https:\/\/list\.example\.com\/racer/);
    expect(shooter!.publicUrl).to.match(/^https:\/\/shooter\.example/);
    expect(shooter!.detailsSchemaJson).to.equal(undefined);
  });

  it('has keys by their digests or files, with what they may, where, and until when', async () => {
    const yaml = `
      registries: { racer: , shooter: }
      keys:
        - { name: racer servers, sha256: ${KEY}, may: [announce], registries: [racer] }
        - { name: launcher, file: keys/launcher, may: read, until: 2027-01-01 }
    `;
    const files = { '/etc/gsls/keys/launcher': 'short\n' };
    const { keys, warnings } = await load(yaml, { files });
    expect(keys).to.deep.equal([
      { name: 'racer servers', sha256: KEY, may: ['announce'], registries: ['racer'] },
      { name: 'launcher', sha256: sha256Of('short'), may: ['read'], until: Date.UTC(2027, 0, 1) },
    ]);
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include('launcher').and.to.not.include('short\n');
  });

  it('tells all that is wrong at once, each with its line and column', async () => {
    const problems = await problemsOf(`port: many
tll: 30
registries:
  racer: { path: racer, port: 1 }
  shooter: { path: /shooter, max-servers: none }
  other: { path: /shooter }
keys:
  - { name: a, sha256: 12, may: [read] }
  - { name: b, file: nowhere, may: [reed] }
  - { name: c, sha256: ${KEY}, may: [read], registries: [raser] }
  - { name: d, sha256: ${KEY}, may: [], until: soon }
`);
    const told = problems.join('\n');
    for (const part of [
      `${PATH}:2:1: there is no option tll`,
      `${PATH}:1:1: port must be`,
      `${PATH}:4:25: port is of the whole process`,
      `${PATH}:8:16: sha256 must be`,
      'nowhere cannot be read',
      `${PATH}:10`,
    ])
      expect(told).to.include(part);
    expect(problems.length).to.be.at.least(7);
  });

  const WRONG: Readonly<Record<string, [yaml: string, problem: RegExp]>> = {
    'no YAML': ['port: [1', /:1:\d+: /],
    'no section': ['- port', /must have options/],
    'a path of the service itself': ['registries: { a: { path: /servers } }', /must not begin with a path/],
    'a path that climbs': ['registries: { a: { path: /../x } }', /must be like \/racer/],
    'a host with a port': ['registries: { a: { hosts: ["x:80"] } }', /without a port/],
    'a name that is none': ['registries: { "a/b": {} }', /no name of a registry/],
    'a path twice': ['registries: { a: { path: /x }, b: { path: /x } }', /a has \/x already/],
    'a host twice': ['registries: { a: { hosts: X }, b: { hosts: x } }', /a has x already/],
    'a name in Redis twice': [
      'registries: { a: , b: { redis-name: a } }',
      /a has the name "a" in Redis already/,
    ],
    'a port of UDP twice': ['dpmaster-port: 1\nregistries: { a: , b: }', /a has UDP port 1 already/],
    'files whose names differ in case': ['data-file: d\nregistries: { a: , A: }', /already/],
    'a name for several': ['registry: x\nregistries: { a: }', /leave --registry out/],
    'a list of registries': ['registries: [a]', /registries by their names/],
    'a key without a scope': [`keys: [{ name: a, sha256: ${KEY} }]`, /needs may/],
    'a key that nobody has': ['keys: [{ name: a, may: [read] }]', /needs a sha256 or a file/],
    'a key twice': [
      `keys: [{ name: a, sha256: ${KEY}, may: [read] }, { name: b, sha256: ${KEY}, may: [read] }]`,
      /is the same as a/,
    ],
    'keys that are no list': ['keys: { a: b }', /must be as gsls key new prints it/],
    'a key that is a text': ['keys: [secret]', /must be as gsls key new prints it/],
    'a key without a name': [`keys: [{ sha256: ${KEY}, may: [read] }]`, /needs a name/],
    'a key with two names': [`keys: [{ name: [a, b], sha256: ${KEY}, may: [read] }]`, /must be one text/],
    'a key whose name is no name': [
      `keys: [{ name: "a:b", sha256: ${KEY}, may: [read] }]`,
      /1 to 64 letters/,
    ],
    'a key with a file as well': [
      `keys: [{ name: a, sha256: ${KEY}, file: x, may: [read] }]`,
      /a sha256 or a file, and not both/,
    ],
    'a key whose name another has': [
      `keys: [{ name: a, sha256: ${KEY}, may: [read] }, { name: a, sha256: ${sha256Of('b')}, may: [read] }]`,
      /has the name of another one, a/,
    ],
    'a key that is empty': [`keys: [{ name: a, sha256: ${sha256Of('')}, may: [read] }]`, /an empty text/],
    'a key with an unknown field': [
      `keys: [{ name: a, sha256: ${KEY}, may: [read], untill: x }]`,
      /a key has no untill; did you mean until/,
    ],
    'a key for no registry': [
      `registries: { a: }\nkeys: [{ name: a, sha256: ${KEY}, may: [read], registries: [] }]`,
      /must name a registry, or be left out/,
    ],
    'a key for a registry where there are none': [
      `keys: [{ name: a, sha256: ${KEY}, may: [read], registries: [racer] }]`,
      /there is no registry racer/,
    ],
    'a key until no day': [
      `keys: [{ name: a, sha256: ${KEY}, may: [read], until: 2027-02-31T25:00Z }]`,
      /must be a day such as/,
    ],
    'an option without a value': ['ttl:', /:1:1: ttl has no value: leave it out/],
    'an option that is a list of lists': ['key: [[a]]', /must be a text, or a list of them/],
    'texts by names where there are none': ['page-regions: { eu: [Europe, America] }', /eu must be one text/],
    'a name that is a list': ['? [a, b]\n: 1', /must be a name/],
    'two paths of a registry': ['registries: { a: { path: [/x, /y] } }', /path must be one text/],
    'a registry that is a text': ['registries: { a: b }', /must have options, as in/],
    'details that are a text': ['registries: { a: { details: version } }', /must be like \{ require/],
    'details of another kind': [
      'registries: { a: { details: { need: [version] } } }',
      /must be like \{ require/,
    ],
    'a file longer than any': [`# ${'x'.repeat(16 * 1024 * 1024)}`, /is longer than 16777216 characters/],
    'an option of several registries and one': ['total-servers: 5', /needs a configuration file that names/],
    'an index without room': ['registry-index: true\nregistries: { a: { path: / } }', /registry-index/],
    'a file that names itself': ['config: other.yaml', /there is no option config/],
  };
  for (const [what, [yaml, problem]] of Object.entries(WRONG))
    it(`with ${what} is refused`, async () => {
      expect((await problemsOf(yaml)).join('\n')).to.match(problem);
    });

  it('may be empty, have empty lists, and require fields of game servers in short', async () => {
    expect((await load('')).registries).to.have.length(1);
    expect((await load('trust-proxy: []').catch(() => undefined))?.config.trustProxy).to.equal(undefined);
    const { registries } = await load('registries: { a: { details: { require: [version] } } }');
    const [{ config }] = registries as [(typeof registries)[number]];
    expect(config.detailsSchemaJson).to.deep.equal({ type: 'object', required: ['version'] });
  });

  it('gives a command that serves nothing its options, or says what is wrong', async () => {
    expect((await configOf('ttl: 30\nregistries: { a: }')).ttl).to.equal(30);
    expect((await loadConfig({ flags: {}, environment: {}, readFile: String })).ttl).to.equal(60);
    const error: unknown = await configOf('tll: 30').catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ConfigError);
  });

  it('that cannot be read is refused in one line', async () => {
    const flags = { config: ['/nowhere.yaml'] };
    const error: unknown = await load('', { flags }).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal(
      "the configuration file /nowhere.yaml cannot be read: ENOENT: no such file, open '/nowhere.yaml'",
    );
  });

  it('lets protocols without keys beside keys that may read, but not beside keys that may announce', async () => {
    await load(withKey('read'));
    expect((await problemsOf(withKey('announce'))).join()).to.match(/:1:\d+: protocols cannot be used with/);
  });
});

/** `GET /openapi.json`: a valid document of what this service offers, and of nothing else. */

import { expect } from 'chai';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ApiDescription } from '../../support/api-description.ts';
import { ask, expectError } from '../../support/ask.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useService } from '../../support/use-service.ts';

/** By the environment of the service. */
const descriptions = new Map<string, Promise<ApiDescription>>();

function descriptionWith(environment: Readonly<Record<string, string>>): Promise<ApiDescription> {
  const key = JSON.stringify(environment);
  const description = descriptions.get(key) ?? describedBy(environment);
  descriptions.set(key, description);
  return description;
}

async function describedBy(environment: Readonly<Record<string, string>>): Promise<ApiDescription> {
  const service = await startTestService(environment);
  try {
    const { GSLS_KEY: key } = environment;
    return await ApiDescription.of(service, key === undefined ? {} : { headers: { Authorization: key } });
  } finally {
    await service.close();
  }
}

function namesIn({ operations }: ApiDescription): readonly string[] {
  return [...operations.keys()];
}

function mentionsUnlisted({ document }: ApiDescription): boolean {
  return JSON.stringify(document).includes('"unlisted":');
}

/** The names of the schemes, any of which will do. */
function schemesOf({ operations }: ApiDescription, name: string): readonly string[] {
  return operations.get(name)!.security.flatMap((each) => Object.keys(each));
}

const EVERYTHING = {
  GSLS_REPORT_REASONS: 'spam,cheating',
  GSLS_ADMIN_KEY: 'boss',
  GSLS_ALLOW_UNLISTED: 'true',
  GSLS_VERIFY: 'tcp',
  GSLS_VERIFY_SOURCE: 'true',
  GSLS_UNIQUE_ADDRESS: 'true',
  GSLS_MAX_SERVERS: '10',
  GSLS_REQUIRE_SERVER_TOKEN: 'true',
  GSLS_RATE_LIMIT: 'broadcast=30/m,ping=240/m,remove=30/m,list=120/m,join=30/m,doctor=30/m',
};

describe('the description of the API', () => {
  const service = useService();
  const validator = new Validator();

  for (const [what, environment] of Object.entries({
    'a plain service': {},
    'a service with all options': { ...EVERYTHING, GSLS_KEY: 'key' },
    'a service without streams': { GSLS_MAX_STREAMS: '0' },
  }))
    it(`is valid OpenAPI 3.1 for ${what}`, async () => {
      const { document } = await descriptionWith(environment);
      const result = await validator.validate(
        structuredClone(document) as unknown as Record<string, unknown>,
      );
      expect(result.errors ?? []).to.deep.equal([]);
      expect(result.valid).to.equal(true);
      expect(validator.version).to.equal('3.1');
      const ids = [...new ApiDescription(document).operations.values()].map((each) => each.operationId);
      expect(new Set(ids)).to.have.property('size', ids.length);
    });

  it('names its service by where it was read, behind whatever prefix', async () => {
    const { document } = await descriptionWith({});
    const { servers } = document as unknown as { readonly servers: readonly { readonly url: string }[] };
    expect(servers.map(({ url }) => url)).to.deep.equal(['./']);
  });

  it('has the version of GSLS, and no status', async () => {
    const { document } = await ApiDescription.of(service);
    expect(document.info.version).to.match(/^\d+\.\d+\.\d+/);
    expect(document).to.not.have.property('status');
  });

  it('has each example as its schema wants it', async () => {
    const description = await descriptionWith(EVERYTHING);
    const wrong = [...description.examples()].flatMap(({ where, schema, value }) => {
      const problem = description.problems(schema, value);
      return problem === '' ? [] : [`${where}: ${problem}`];
    });
    expect(wrong).to.deep.equal([]);
  });

  it('has only what the service offers', async () => {
    const plain = await descriptionWith({});
    const all = await descriptionWith(EVERYTHING);
    expect(namesIn(all).filter((name) => !plain.operations.has(name))).to.have.members([
      'GET /join/{code}',
      'POST /report',
      'GET /admin/me',
      'GET /admin/bans',
      'POST /admin/bans',
      'DELETE /admin/bans/{ban}',
      'GET /admin/labels',
      'POST /admin/labels',
      'DELETE /admin/labels/{rule}',
      'POST /admin/preview',
      'GET /admin/audit',
      'GET /admin/servers',
      'GET /admin/servers/{id}',
      'DELETE /admin/servers/{id}',
      'GET /admin/reports',
      'DELETE /admin/reports/{id}',
      'GET /desk',
      'GET /desk/{file}',
    ]);
    expect(plain.mediaTypesOf('GET /changes', 200)).to.include('text/event-stream');
    const still = await descriptionWith({ GSLS_MAX_STREAMS: '0' });
    expect(still.mediaTypesOf('GET /changes', 200)).to.deep.equal(['application/json']);
    const added = ['source_mismatch', 'server_token_required', 'address_taken', 'rate_limited'];
    expect(all.outcomesOf('POST /ping').codes).to.include.members(added);
    for (const code of added) expect(plain.outcomesOf('POST /ping').codes).to.not.include(code);
    const open = await descriptionWith({ GSLS_CORS_WRITE_ORIGIN: '*', GSLS_ADMIN_KEY: 'boss' });
    expect(plain.outcomesOf('GET /ping').codes).to.include('cross_site');
    expect(open.outcomesOf('GET /ping').codes).to.not.include('cross_site');
    expect(open.outcomesOf('POST /admin/bans').codes).to.include('cross_site');
    expect([mentionsUnlisted(plain), mentionsUnlisted(all)]).to.deep.equal([false, true]);
  });

  it('has nothing of the operations port', async () => {
    const { operations } = await descriptionWith({ GSLS_OPS_PORT: '0', GSLS_ADMIN_KEY: 'boss' });
    const paths = [...operations.keys()].map((name) => name.split(' ')[1]!);
    expect(paths.filter((path) => /^\/(metrics|admin|desk|livez|readyz|debug)/.test(path))).to.deep.equal([]);
    expect(paths).to.include('/servers');
  });

  it('says which key an operation needs', async () => {
    const open = await descriptionWith({ GSLS_ADMIN_KEY: 'boss' });
    const withKey = await descriptionWith({ GSLS_KEY: 'key' });
    const reading = await descriptionWith({ GSLS_KEY: 'key', GSLS_PUBLIC_READ: 'true' });
    expect(schemesOf(open, 'GET /servers')).to.deep.equal([]);
    expect(schemesOf(open, 'GET /admin/bans')).to.deep.equal(['adminBearer', 'adminBasic']);
    expect(schemesOf(withKey, 'GET /servers')).to.deep.equal(['bearer', 'basic']);
    expect(schemesOf(reading, 'GET /servers')).to.deep.equal([]);
    expect(schemesOf(reading, 'POST /ping')).to.deep.equal(['bearer', 'basic']);
    expect((await descriptionWith({})).document.components['securitySchemes']).to.deep.equal({});
  });

  it('needs the key that reading needs', async () => {
    const withKey = await startTestService({ GSLS_KEY: 'key' });
    const reading = await startTestService({ GSLS_KEY: 'key', GSLS_PUBLIC_READ: 'true' });
    for (const path of ['/openapi.json', '/docs', '/docs/x']) {
      expectError(await ask(withKey, `GET ${path}`), 'unauthorized');
      expect((await ask(reading, `GET ${path}`)).status).to.be.oneOf([200, 404]);
    }
    const answer = await ask(withKey, 'GET /openapi.json', { headers: { Authorization: 'key' } });
    expect(answer.headers['cache-control']).to.equal('private, no-cache');
    await Promise.all([withKey.close(), reading.close()]);
  });

  it('is the same bytes with the same tag each time, for caches and browsers', async () => {
    const plain = await ask(service, 'GET /openapi.json');
    const { etag } = plain.headers;
    expect(plain.headers).to.include({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
    const again = await ask(service, 'GET /openapi.json', { headers: { 'If-None-Match': etag! } });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    const head = await ask(service, 'HEAD /openapi.json');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers['content-length']).to.equal(String(plain.bytes.length));
    const gzip = await ask(service, 'GET /openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(gzip.bytes.length).to.be.below(plain.bytes.length / 5);
    expect((await ask(service, 'GET /openapi.json?v=1')).text).to.equal(plain.text);
    const other = await startTestService();
    expect((await ask(other, 'GET /openapi.json')).headers['etag']).to.equal(etag);
    await other.close();
  });
});

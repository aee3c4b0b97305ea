/** Broadcasts that are sent again under the same Idempotency-Key. */

import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService, type UsedService } from '../../support/use-service.ts';

function broadcast(
  service: UsedService,
  key: string | string[],
  overrides: Record<string, unknown> = {},
): Promise<TestAnswer> {
  return ask(service, 'POST /broadcast', {
    body: aBroadcast(overrides),
    headers: { 'Idempotency-Key': key },
  });
}

async function countOf(service: UsedService): Promise<number> {
  return (await ask(service, 'GET /')).body.count!;
}

async function remove(service: UsedService, id: string): Promise<void> {
  const { status } = await ask(service, 'POST /remove', {
    body: { server_id: id, server_ip: '203.0.113.7' },
  });
  expect(status).to.equal(200);
}

describe('the Idempotency-Key of a broadcast', () => {
  const service = useService();
  let key: string;
  beforeEach(() => {
    key = `a key ${Math.random()}`;
  });

  it('gives a repeated broadcast the same id', async () => {
    const first = await broadcast(service, key);
    expect(first.text).to.match(/^\{"status":"success","server_id":"[\w-]{22}"\}$/);
    const before = await countOf(service);
    const again = await broadcast(service, key);
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    expect(await countOf(service)).to.equal(before);
  });

  it('lists a broadcast under two keys twice', async () => {
    const { body } = await broadcast(service, key);
    const other = await broadcast(service, `${key} 2`);
    expect(other.body.server_id).to.not.equal(body.server_id);
    for (const id of [body.server_id!, other.body.server_id!])
      expect(await service.listed(id)).to.include({ id });
  });

  it('belongs to one address: with another address it is another game server', async () => {
    const addresses = [
      { server_port: 1 },
      { server_port: 2 },
      { server_host: 'other.example.com' },
      { server_ip: '198.51.100.1' },
      { server_ip: '2001:db8::1' },
    ];
    const answers = await Promise.all(addresses.map((each) => broadcast(service, key, each)));
    expect(new Set(answers.map(({ body }) => body.server_id)).size).to.equal(addresses.length);
  });

  it('means the same game server however its IP is written', async () => {
    const { body } = await broadcast(service, key);
    const again = await broadcast(service, key, { server_ip: '::ffff:203.0.113.7' });
    expect(again.body).to.deep.equal(body);
  });

  it('keeps the name and players of the first broadcast', async () => {
    const { body } = await broadcast(service, key, { server_name: 'First', players: 1 });
    const again = await broadcast(service, key, { server_name: 'Second', players: 2 });
    expect(again.body).to.deep.equal(body);
    expect(await service.listed(body.server_id!)).to.include({ name: 'First', players: 1 });
  });

  it('is the same key bare and in quotes', async () => {
    const { body } = await broadcast(service, 'a "key" \\ here');
    const quoted = await broadcast(service, '"a \\"key\\" \\\\ here"');
    expect(quoted.body).to.deep.equal(body);
    expect((await broadcast(service, '"x"')).body).to.deep.equal((await broadcast(service, 'x')).body);
  });

  it('gets 409 once its game server is off the list, and does not list it again', async () => {
    const { body } = await broadcast(service, key);
    await remove(service, body.server_id!);
    const answer = await broadcast(service, key);
    expectError(answer, 'idempotency_key_used');
    expect(answer.body.error).to.include('a new key');
    expect(await service.listed(body.server_id!)).to.equal(undefined);
  });

  it('may hold any printable ASCII, up to 255 characters', async () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    const ids = new Set<string>();
    for (const each of [
      'x',
      '__proto__',
      `.${printable}.`,
      'y'.repeat(255),
      `"${' '.repeat(255)}"`,
      'a, b',
    ]) {
      const { status, body } = await broadcast(service, each);
      expect(status).to.equal(200);
      ids.add(body.server_id!);
    }
    expect(ids.size).to.equal(6);
  });

  const REFUSED: readonly (readonly [what: string, key: string | string[]])[] = [
    ['is empty', ''],
    ['is only spaces', '   '],
    ['is empty in quotes', '""'],
    ['is too long', 'x'.repeat(256)],
    ['is too long in quotes', `"${'x'.repeat(256)}"`],
    ['is not ASCII', 'caf\u00e9'],
    ['holds a tab', 'a\tb'],
    ['begins with a quote and does not end with one', '"a'],
    ['is a quote alone', '"'],
    ['goes on after its quotes', '"a"b'],
    ['escapes what needs no escape', '"\\n"'],
    ['escapes the quote at its end', '"a\\"'],
    ['has parameters', '"a";b=1'],
    ['comes twice in quotes', ['"a"', '"b"']],
  ];

  for (const [what, refused] of REFUSED)
    it(`gets 400 when it ${what}, and nothing is listed`, async () => {
      const before = await countOf(service);
      const answer = await broadcast(service, refused);
      expectError(answer, 'invalid_request');
      expect(answer.body.error).to.match(/^Idempotency-Key must be 1 to 255 printable ASCII characters/);
      expect(await countOf(service)).to.equal(before);
    });

  it('is ignored by other requests', async () => {
    const id = await service.broadcast();
    for (const call of ['POST /ping', 'GET /', 'GET /health']) {
      const { status } = await ask(service, call, {
        ...(call === 'POST /ping' && { body: aBroadcast({ server_id: id }) }),
        headers: { 'Idempotency-Key': '' },
      });
      expect(status).to.equal(200);
    }
  });
});

describe('the Idempotency-Key of a broadcast, with --unique-address', () => {
  const service = useService({ GSLS_UNIQUE_ADDRESS: 'yes' });

  it('gets 409 when another game server has taken the address', async () => {
    const first = await broadcast(service, 'of the first start');
    const second = await broadcast(service, 'of the second start');
    expectError(await broadcast(service, 'of the first start'), 'idempotency_key_used');
    expect(await service.listed(second.body.server_id!)).to.not.equal(undefined);
    expect(await service.listed(first.body.server_id!)).to.equal(undefined);
  });
});

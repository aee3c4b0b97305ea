import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

const UNLISTED = aBroadcast({ unlisted: true });

const codeOf = ({ headers }: TestAnswer): string => String(headers['server-join-code']);

describe('an unlisted game server', () => {
  const service = useService({ GSLS_ALLOW_UNLISTED: 'true', GSLS_RATE_LIMIT: 'join=35/m' });

  const broadcast = (body = UNLISTED, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    ask(service, 'POST /broadcast', { body, headers });

  it('gets a join code, and is in no list', async () => {
    const answer = await broadcast();
    expect(answer.body.server_id).to.match(/^~[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(codeOf(answer)).to.match(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    const listed = await ask(service, 'GET /servers?limit=1000');
    for (const { text } of [await ask(service, 'GET /'), listed, await ask(service, 'GET /changes')])
      expect(text).to.not.include(answer.body.server_id);
    expect((await ask(service, 'GET /health')).body.server_count).to.equal(0);
  });

  it('is found by its id and by its join code, however a person writes that', async () => {
    const answer = await broadcast(aBroadcast({ unlisted: true, map: 'de_dust2' }));
    const id = answer.body.server_id!;
    const code = codeOf(answer);
    const { status, text } = await ask(service, `GET /servers/${id}`);
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.have.nested.include({ 'server.id': id, 'server.map': 'de_dust2' });
    const written = `${code.slice(0, 5)}-${code.slice(5).toLowerCase()}`;
    expect((await ask(service, `GET /join/${written}`)).text).to.equal(text);
    expect((await ask(service, `HEAD /join/${code}`)).status).to.equal(200);
  });

  it('is not found any more once it has left, nor by a code that is none', async () => {
    const answer = await broadcast();
    const body = { server_id: answer.body.server_id, server_ip: UNLISTED['server_ip'] };
    expect((await ask(service, 'POST /remove', { body })).status).to.equal(200);
    for (const path of [codeOf(answer), 'ABC', 'no%20code', '%F0%9F%8E%AE'])
      expectError(await ask(service, `GET /join/${path}`), 'unknown_join_code');
  });

  it('cannot be found by the join code of a server that is listed', async () => {
    const { headers } = await broadcast(aBroadcast());
    expect(headers).to.not.have.property('server-join-code');
  });

  it('stays unlisted through pings, whatever they say', async () => {
    const id = (await broadcast()).body.server_id;
    const body = { ...aBroadcast({ unlisted: false, players: 9 }), server_id: id };
    expect((await ask(service, 'POST /ping', { body })).status).to.equal(200);
    expect((await ask(service, 'GET /')).text).to.not.include(id);
  });

  it('gets the same id for the same Idempotency-Key, and another one than if it were listed', async () => {
    const headers = { 'Idempotency-Key': 'a key' };
    const first = await broadcast(UNLISTED, headers);
    expect((await broadcast(UNLISTED, headers)).body.server_id).to.equal(first.body.server_id);
    expect((await broadcast(aBroadcast(), headers)).body.server_id).to.not.equal(first.body.server_id);
  });

  it('has an id and a code that nobody can make of the id of the same key in the list', async () => {
    const headers = { 'Idempotency-Key': 'another key' };
    const id = (await broadcast(aBroadcast(), headers)).body.server_id!;
    const unlisted = await broadcast(UNLISTED, headers);
    expectError(await ask(service, `GET /servers/~${id}`), 'unknown_server');
    // Nor does a part of a code lead anywhere.
    expectError(await ask(service, `GET /join/${codeOf(unlisted).slice(0, 8)}`), 'unknown_join_code');
  });

  it('keeps its id and its code with its token, and gets others when it is to be listed', async () => {
    const first = await broadcast(UNLISTED, { 'Server-Token': 'claim' });
    const token = { 'Server-Token': String(first.headers['server-token']) };
    for (const body of [UNLISTED, aBroadcast()]) {
      const again = await broadcast(body, token);
      expect(again.body.server_id).to.equal(first.body.server_id);
      expect(codeOf(again)).to.equal(codeOf(first));
    }
    const listed = await broadcast(aBroadcast({ unlisted: false }), token);
    expect(listed.headers).to.not.have.property('server-join-code');
    const { body } = await ask(service, 'GET /');
    expect(body.servers!.map(({ id }) => id)).to.include(listed.body.server_id);
    expectError(await ask(service, `GET /join/${codeOf(first)}`), 'unknown_join_code');
  });

  it('must say so by true or false', async () => {
    expectError(await broadcast(aBroadcast({ unlisted: 'yes' })), 'invalid_request');
  });

  it('is hidden while it is refused by a limit of guesses', async () => {
    const answers = [];
    for (let n = 0; n < 40; n += 1) answers.push(await ask(service, `GET /join/000000000${n % 10}`));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).to.be.above(0);
    expectError(refused[0]!, 'rate_limited');
  });
});

describe('a service that lists every game server', () => {
  const service = useService();

  it('refuses an unlisted one, and knows no join codes', async () => {
    const answer = await ask(service, 'POST /broadcast', { body: UNLISTED });
    expectError(answer, 'invalid_request');
    expect(answer.body.error).to.equal(
      'unlisted must be false or absent: this service lists every game server',
    );
    expectError(await ask(service, 'GET /join/00000000'), 'not_found');
    expect(
      (await ask(service, 'POST /broadcast', { body: aBroadcast({ unlisted: false }) })).status,
    ).to.equal(200);
  });
});

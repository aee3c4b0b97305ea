/** The fields of a ping by GET, as text. */

import { expect } from 'chai';
import { ask, expectError, expectWrongFields } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { useService } from '../../../support/use-service.ts';

describe('a ping in the query string', () => {
  const service = useService();
  let id: string;
  before(async () => {
    id = await service.broadcast();
  });
  const queryOf = (overrides: Record<string, unknown> = {}) =>
    new URLSearchParams(aBroadcast({ server_id: id, ...overrides }) as never).toString();

  it('updates every field', async () => {
    const query = queryOf({
      server_name: 'N & = + \u00e9',
      server_host: 'h',
      server_port: 2,
      max_players: 0,
    });
    const { status, text } = await ask(service, `GET /ping?${query}`);
    expect([status, text]).to.deep.equal([200, '{"status":"success"}']);
    expect(await service.listed(id)).to.deep.equal({
      id,
      host: 'h',
      name: 'N & = + \u00e9',
      port: 2,
      ip: '203.0.113.7',
      players: 3,
      max_players: 0,
    });
  });

  it('may have a name of digits', async () => {
    expect(await ask(service, `GET /ping?${queryOf({ server_name: '123' })}`)).to.include({ status: 200 });
    expect(await service.listed(id)).to.have.property('name', '123');
  });

  for (const text of [
    '',
    ' ',
    ' 5',
    '5.0',
    '5.5',
    '+5',
    '-5',
    '-0',
    '0x10',
    '1e3',
    '1_0',
    '\u0665',
    'true',
    '9'.repeat(16),
  ])
    it(`with players=${JSON.stringify(text)} gets 400`, async () => {
      expectWrongFields(await ask(service, `GET /ping?${queryOf({ players: text })}`), ['players']);
    });

  it('may have leading zeros in an integer', async () => {
    expect(await ask(service, `GET /ping?${queryOf({ players: '007' })}`)).to.include({ status: 200 });
    expect(await service.listed(id)).to.have.property('players', 7);
  });

  it('with a repeated field gets 400, whatever the values', async () => {
    const query = `${queryOf()}&players=3&server_name=A+server&server_id=${id}`;
    expectWrongFields(await ask(service, `GET /ping?${query}`), ['server_id', 'server_name', 'players']);
  });

  it('with another spelling of a field gets 400', async () => {
    const query = queryOf().replace('server_name', 'SERVER_NAME').replace('players', 'players[]');
    expectWrongFields(await ask(service, `GET /ping?${query}`), ['server_name', 'players']);
  });

  it('may have broken escapes, which are plain text', async () => {
    expect(await ask(service, `GET /ping?${queryOf()}&x=%&y=%E0%A4%A`)).to.include({ status: 200 });
  });

  it('is read only from a GET', async () => {
    const answer = await ask(service, `POST /ping?${queryOf()}`);
    expectError(answer, 'invalid_request');
    expect(answer.body.error).to.include('body is empty');
  });
});

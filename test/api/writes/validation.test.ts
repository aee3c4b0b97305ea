/** The valid values of each field, and the errors of invalid ones. */

import { expect } from 'chai';
import { ask, expectError, expectWrongFields } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

const FIELDS = ['server_host', 'server_name', 'server_port', 'server_ip', 'players', 'max_players'];
const INTEGERS = { server_port: [1, 65_535], players: [0, 1_000_000], max_players: [0, 1_000_000] };
const TEXTS = { server_host: 253, server_name: 128 };

describe('validation', () => {
  const service = useService();
  const broadcast = (overrides: Record<string, unknown>) =>
    ask(service, 'POST /broadcast', { body: aBroadcast(overrides) });
  const ping = (id: unknown) => ask(service, 'POST /ping', { body: aBroadcast({ server_id: id }) });
  /** A broadcast with this JSON text as the value of the field: JSON.stringify would not write it. */
  const broadcastJson = (field: string, json: string) =>
    ask(service, 'POST /broadcast', {
      body: JSON.stringify(aBroadcast({ [field]: 'HERE' })).replace('"HERE"', json),
    });

  describe('of a whole request', () => {
    it('names all missing fields of a broadcast at once', async () => {
      const answer = await ask(service, 'POST /broadcast', { body: {} });
      expectWrongFields(answer, FIELDS);
      expect(answer.body.details?.map(({ message }) => message)).to.deep.equal(
        FIELDS.map(() => 'is missing'),
      );
    });

    it('names all missing fields of a ping, by GET and by POST', async () => {
      expectWrongFields(await ask(service, 'POST /ping', { body: {} }), ['server_id', ...FIELDS]);
      expectWrongFields(await ask(service, 'GET /ping'), ['server_id', ...FIELDS]);
    });

    it('names all missing fields of a remove', async () => {
      expectWrongFields(await ask(service, 'POST /remove', { body: {} }), ['server_id', 'server_ip']);
    });

    it('names missing and wrong fields together, each once', async () => {
      const { server_host: _, ...rest } = aBroadcast({ server_port: '7777', players: -1, server_ip: 'here' });
      const answer = await ask(service, 'POST /broadcast', { body: rest });
      expectWrongFields(answer, ['server_host', 'server_port', 'server_ip', 'players']);
    });

    it('says what a wrong field must be', async () => {
      const { body } = await broadcast({ server_port: 0 });
      expect(body.details).to.deep.equal([
        { field: 'server_port', message: 'must be an integer from 1 to 65535' },
      ]);
      expect(body.error).to.equal('server_port must be an integer from 1 to 65535');
    });

    it('does not repeat the values of the client', async () => {
      const { text } = await broadcast({ server_ip: 'private-value', server_port: 'private-value' });
      expect(text).to.not.include('private-value');
    });

    it('treats null as a wrong value, not as a missing one', async () => {
      const { body } = await broadcast({ players: null });
      expect(body.details).to.deep.equal([
        { field: 'players', message: 'must be an integer from 0 to 1000000' },
      ]);
    });
  });

  for (const [field, [minimum, maximum]] of Object.entries(INTEGERS) as [string, [number, number]][]) {
    describe(`of ${field}`, () => {
      it(`accepts ${minimum} and ${maximum}, and lists them unchanged`, async () => {
        const short = field.replace('server_', '');
        for (const value of [minimum, maximum]) {
          const { status, body } = await broadcast({ [field]: value });
          expect(status).to.equal(200);
          expect(await service.listed(body.server_id!)).to.have.property(short, value);
        }
      });

      it(`refuses ${minimum - 1} and ${maximum + 1}`, async () => {
        for (const value of [minimum - 1, maximum + 1])
          expectWrongFields(await broadcast({ [field]: value }), [field]);
      });

      for (const json of ['5.5', '-0', '1e400', '-1e400', '9007199254740993', '"5"', 'true', '[5]', '{}'])
        it(`refuses ${json}`, async () => expectWrongFields(await broadcastJson(field, json), [field]));

      it('accepts 5.0 and 5e0 as integers', async () => {
        for (const json of ['5.0', '5e0'])
          expect(await broadcastJson(field, json)).to.include({ status: 200 });
      });
    });
  }

  for (const [field, longest] of Object.entries(TEXTS)) {
    describe(`of ${field}`, () => {
      it(`accepts 1 and ${longest} characters, however many bytes they take`, async () => {
        for (const value of ['x', 'x'.repeat(longest), '\u{1F3AE}'.repeat(longest)]) {
          const { status, body } = await broadcast({ [field]: value });
          expect(status).to.equal(200);
          expect(await service.listed(body.server_id!)).to.have.property(field.slice(7), value);
        }
      });

      it(`refuses an empty text and ${longest + 1} characters`, async () => {
        for (const value of ['', 'x'.repeat(longest + 1), '\u{1F3AE}'.repeat(longest + 1)])
          expectWrongFields(await broadcast({ [field]: value }), [field]);
      });

      it('refuses other types than strings', async () => {
        for (const value of [5, true, ['x'], { x: 1 }, null])
          expectWrongFields(await broadcast({ [field]: value }), [field]);
      });
    });
  }

  describe('of server_ip', () => {
    // How each text is read: test/model/net/ip.test.ts.
    it('accepts every spelling, lists the canonical one, and takes them for the same', async () => {
      for (const [sent, canonical] of [
        ['::FFFF:102:304', '1.2.3.4'],
        ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
      ] as const) {
        const id = await service.broadcast({ server_ip: sent });
        expect(await service.listed(id)).to.have.property('ip', canonical);
        for (const server_ip of [sent, canonical])
          expect(
            await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, server_ip }) }),
          ).to.include({ status: 200 });
        const remove = { server_id: id, server_ip: sent };
        expect(await ask(service, 'POST /remove', { body: remove })).to.include({ status: 200 });
      }
    });

    it('refuses what is none, in every request', async () => {
      for (const server_ip of ['', 'localhost', '01.2.3.4', '1.2.3.4:80', 'fe80::1%eth0', '1'.repeat(65)])
        for (const path of ['/broadcast', '/ping', '/remove'])
          expectWrongFields(
            await ask(service, `POST ${path}`, { body: aBroadcast({ server_id: 'x', server_ip }) }),
            ['server_ip'],
          );
    });
  });

  describe('of server_id', () => {
    it('accepts any id of 1 to 64 characters, and answers 404 for it', async () => {
      for (const id of ['x', 'x'.repeat(64), '\u0000', '*', '../..', 'a b', '__proto__', 'hasOwnProperty'])
        expectError(await ping(id), 'unknown_server');
    });

    it('refuses an empty text, 65 characters and other types than strings', async () => {
      for (const id of ['', 'x'.repeat(65), 5, null, ['x'], { id: 'x' }])
        expectWrongFields(await ping(id), ['server_id']);
    });
  });
});

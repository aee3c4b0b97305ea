/** What no host and no name may hold, because it would fool whoever reads the list. */

import { expect } from 'chai';
import { ask, expectWrongFields } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { useService } from '../support/use-service.ts';

const REFUSED = {
  NUL: '\u0000',
  'a line feed': '\n',
  'a carriage return': '\r',
  'a terminal escape': '\u001b',
  DEL: '\u007f',
  'a C1 control character': '\u0085',
  'a high surrogate without a low one': '\ud800',
  'a low surrogate without a high one': '\udfff',
  'a line separator': '\u2028',
  'a paragraph separator': '\u2029',
  'a bidi embedding': '\u202a',
  'a bidi override': '\u202e',
  'a bidi isolate': '\u2066',
  'the end of a bidi isolate': '\u2069',
  'the replacement character': '\ufffd',
};

describe('names', () => {
  const service = useService();

  for (const [what, text] of Object.entries(REFUSED)) {
    it(`refuses ${what} in the host and in the name, by broadcast and by ping`, async () => {
      const id = await service.broadcast();
      const fields = { server_host: `a${text}b`, server_name: `${text}a` };
      const wrong = ['server_host', 'server_name'];
      expectWrongFields(await ask(service, 'POST /broadcast', { body: aBroadcast(fields) }), wrong);
      const ping = aBroadcast({ server_id: id, ...fields });
      expectWrongFields(await ask(service, 'POST /ping', { body: ping }), wrong);
      expect(await service.listed(id)).to.include({ host: 'game.example.com', name: 'A server' });
    });
  }

  it('refuses a name that is no UTF-8, as JSON and in a query string', async () => {
    const [head, tail] = JSON.stringify(aBroadcast({ server_name: 'HERE' })).split('HERE');
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const body = Buffer.concat([Buffer.from(head!), Buffer.from(bytes), Buffer.from(tail!)]);
      expectWrongFields(await ask(service, 'POST /broadcast', { body }), ['server_name']);
    }
    const query = new URLSearchParams(
      aBroadcast({ server_id: 'x', server_name: 'HERE' }) as never,
    ).toString();
    expectWrongFields(await ask(service, `GET /ping?${query.replace('HERE', '%FF')}`), ['server_name']);
  });

  it('keeps every other text to the letter', async () => {
    for (const name of [
      ' spaces around ',
      '"quotes" \\ and / slashes',
      '<script>alert(1)</script>',
      '\u{1F468}\u200d\u{1F469}\u200d\u{1F467} family',
      'e\u0301 is not \u00e9',
      '\u0627\u0644\u0639\u0631\u0628\u064a\u0629',
      '{{7*7}} ${7*7} %s %00',
      '\uffff\ufeff',
    ]) {
      const id = await service.broadcast({ server_name: name });
      expect(await service.listed(id)).to.have.property('name', name);
    }
  });
});

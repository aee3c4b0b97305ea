/** Text that a host or a name may not hold, because it would deceive the readers of the list. */

import { expect } from 'chai';
import { ask, expectWrongFields } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

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
  'a zero-width space': '\u200b',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a grapheme joiner': '\u034f',
  'a left-to-right mark': '\u200e',
  'an Arabic letter mark': '\u061c',
  'a Hangul filler of two kinds': '\u115f\u1160',
  'a Hangul filler of the third kind': '\u3164',
  'a Hangul filler of half width': '\uffa0',
  'a Khmer vowel that is not shown': '\u17b4',
  'an interlinear annotation': '\ufff9',
  'a tag character': '\u{e0067}',
  'a joiner between Latin letters': '\u200d',
  'a non-joiner between Latin letters': '\u200c',
  'a variation selector after a Latin letter': '\ufe0f',
  'a digit that would be an emoji': '1\ufe0f',
  'an ideograph in two variants at once': '\u845b\u{e0100}\u{e0101}',
  'a second joiner between emojis': '\u{1f468}\u200d\u200d\u{1f469}',
  'a joiner after the last emoji': '\u{1f468}\u200d',
  'a flag of no region': `\u{1f3f4}${tags('gbxxx')}\u{e007f}`,
  'a flag that does not end': `\u{1f3f4}${tags('gbeng')}`,
};

const BLANK = {
  'a space': ' ',
  'no-break and ideographic spaces': '\u00a0\u3000',
  'a blank of Braille': '\u2800',
  'a blank hieroglyph': '\u{13441}',
  'combining marks': '\u0301\u20e3',
  'a character for private use': '\ue000',
};

/** The letters as tag characters. */
function tags(letters: string): string {
  return letters.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
}

describe('a host or a name', () => {
  const service = useService();

  async function expectRefused(fields: Record<string, string>): Promise<void> {
    const id = await service.broadcast();
    const wrong = ['server_host', 'server_name'];
    expectWrongFields(await ask(service, 'POST /broadcast', { body: aBroadcast(fields) }), wrong);
    const ping = aBroadcast({ server_id: id, ...fields });
    expectWrongFields(await ask(service, 'POST /ping', { body: ping }), wrong);
    expect(await service.listed(id)).to.include({ host: 'game.example.com', name: 'A server' });
  }

  for (const [what, text] of Object.entries(REFUSED))
    it(`with ${what} gets 400, by broadcast and by ping`, async () => {
      await expectRefused({ server_host: `a${text}b`, server_name: `${text}a` });
    });

  for (const [what, text] of Object.entries(BLANK))
    it(`of nothing but ${what} gets 400, and is accepted with a letter beside it`, async () => {
      await expectRefused({ server_host: text, server_name: text });
      const id = await service.broadcast({ server_name: `a${text}` });
      expect(await service.listed(id)).to.have.property('name', `a${text}`);
    });

  it('without visible text is named in details together with all other wrong fields', async () => {
    const body = aBroadcast({ server_name: 'a\u200bb', server_port: 0 });
    const answer = await ask(service, 'POST /broadcast', { body });
    expectWrongFields(answer, ['server_name', 'server_port']);
    expect(answer.body.details?.[0]?.message).to.equal(
      'must be a string of 1 to 128 characters, some of them visible, and none a control, bidi override or invisible character',
    );
  });

  it('that is not UTF-8 gets 400, as JSON and in a query string', async () => {
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

  it('of any other text is listed exactly as sent', async () => {
    for (const name of [
      ' spaces around ',
      '"quotes" \\ and / slashes',
      '<script>alert(1)</script>',
      '\u{1F468}\u200d\u{1F469}\u200d\u{1F467} family',
      'e\u0301 is not \u00e9',
      '\u0627\u0644\u0639\u0631\u0628\u064a\u0629',
      '{{7*7}} ${7*7} %s %00',
      '\uffff!',
      // Hearts, keycaps, flags, skin tones, professions.
      '\u2764\ufe0f \u260e\ufe0e \u{1f44d}\u{1f3fd}',
      '1\ufe0f\u20e3 #\ufe0f\u20e3',
      `\u{1f3f4}${tags('gbeng')}\u{e007f} \u{1f1e9}\u{1f1ea}`,
      '\u{1f3f3}\ufe0f\u200d\u{1f308} \u{1f469}\u{1f3fd}\u200d\u{1f680} \u2764\ufe0f\u200d\u{1f525}',
      // Persian, Hindi, Malayalam at the end of a word, Sinhala, Bengali.
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u0915\u094d\u200d\u0937',
      '\u0d05\u0d35\u0d28\u0d4d\u200d',
      '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
      '\u09b0\u200d\u09cd\u09af',
      // Variants of an ideograph and of a Mongolian letter, a vowel separator.
      '\u845b\u{e0100} \u182d\u180b\u1820 \u1828\u180e\u1820',
    ]) {
      const id = await service.broadcast({ server_name: name });
      expect(await service.listed(id)).to.have.property('name', name);
    }
  });
});

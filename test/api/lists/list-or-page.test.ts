/** `GET /` with --page-redirect: who is sent to the page, and that everybody else gets the list to the byte. */

import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useBrowse } from '../../support/use-browse.ts';

/** Of Chromium, Firefox and Safari. */
const BROWSERS = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'TEXT/HTML',
  'text/html;charset=utf-8, application/json;q=0.9',
  'application/json;q=0.5, text/html;q=0.6',
  'text/html, application/json;q=0',
];
const PROGRAMS = [
  undefined,
  '',
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'text/html, application/json',
  'text/html;q=0.5, */*;q=0.5',
  'text/html;q=0.5, application/*',
  'text/html, */*',
  'text/*',
  'text/html;q=0',
  'text/html;q=2',
  'text/html;q=x',
  'text/htmlx',
  `${'text/plain,'.repeat(500)}*/*`,
  '\u00ff,;;=,q=1',
];

const accepting = (accept: string | undefined): { headers: Record<string, string> } => ({
  headers: accept === undefined ? {} : { Accept: accept },
});

/** The address that the page has for the list as JSON. */
async function jsonOf(service: { readonly url: string }): Promise<string> {
  const { text } = await ask(service, 'GET /browse');
  return /&quot;json&quot;:&quot;(.*?)&quot;/.exec(text)![1]!;
}

describe('the list of a service that sends browsers to its page', () => {
  const service = useBrowse({ GSLS_PAGE_REDIRECT: 'true' });
  const without = useBrowse();

  it('goes on to the page for what asks for HTML first, by an address that a prefix of a proxy does not break', async () => {
    for (const accept of BROWSERS)
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await ask(service, `${method} /`, accepting(accept));
        expect([status, headers.location, text], accept).to.deep.equal([303, 'browse', '']);
        expect([headers.vary, headers['cache-control']]).to.deep.equal([
          'Accept-Encoding, Accept',
          'no-store',
        ]);
      }
  });

  it('is there to the byte for everything else', async () => {
    for (const one of [service, without]) await ask(one, 'POST /broadcast', { body: aBroadcast() });
    const { text } = await ask(service, 'GET /');
    expect(JSON.parse(text)).to.have.property('count', 1);
    for (const accept of PROGRAMS) {
      const answer = await ask(service, 'GET /', accepting(accept));
      expect([answer.status, answer.text, answer.headers.vary], accept).to.deep.equal([
        200,
        text,
        'Accept-Encoding, Accept',
      ]);
      const head = await ask(service, 'HEAD /', accepting(accept));
      expect([head.status, head.headers['content-length']]).to.deep.equal([200, String(text.length)]);
    }
  });

  it('says in each answer that it depends on what is accepted, and so also in 304 and 406', async () => {
    const { headers } = await ask(service, 'GET /');
    const known = await ask(service, 'GET /', { headers: { 'If-None-Match': headers.etag! } });
    expect([known.status, known.headers.vary]).to.deep.equal([304, 'Accept-Encoding, Accept']);
    const refused = await ask(service, 'GET /', { headers: { 'Accept-Encoding': 'identity;q=0, *;q=0' } });
    expectError(refused, 'not_acceptable');
    expect(refused.headers.vary).to.equal('Accept-Encoding, Accept');
  });

  it('is there for browsers, too, without the option', async () => {
    for (const accept of [...BROWSERS, ...PROGRAMS]) {
      const { status, headers, text } = await ask(without, 'GET /', accepting(accept));
      expect([status, headers.vary, text]).to.deep.equal([
        200,
        'Accept-Encoding',
        '{"servers":[],"count":0}',
      ]);
    }
  });

  it('has another address for the list as JSON on the page, which leads to it', async () => {
    expect([await jsonOf(service), await jsonOf(without)]).to.deep.equal(['servers', './']);
    const { headers } = await ask(service, `GET /servers`, accepting(BROWSERS[0]));
    expect(headers['content-type']).to.match(/^application\/json/);
  });

  describe('with a key', () => {
    const closed = useBrowse({ GSLS_PAGE_REDIRECT: 'true', GSLS_KEY: 'key' });
    const open = useBrowse({ GSLS_PAGE_REDIRECT: 'true', GSLS_KEY: 'key', GSLS_PUBLIC_READ: 'true' });

    it('asks a browser for the key first, unless everybody may read', async () => {
      const asked = await ask(closed, 'GET /', accepting(BROWSERS[0]));
      expect([asked.status, asked.headers.location]).to.deep.equal([401, undefined]);
      expect(String(asked.headers['www-authenticate'])).to.include('Basic');
      const Authorization = `Basic ${Buffer.from('me:key').toString('base64')}`;
      const known = await ask(closed, 'GET /', { headers: { Accept: BROWSERS[0]!, Authorization } });
      expect([known.status, known.headers.location]).to.deep.equal([303, 'browse']);
      expect((await ask(open, 'GET /', accepting(BROWSERS[0]))).status).to.equal(303);
    });
  });
});

import { mock } from 'node:test';
import { expect } from 'chai';
import { AnswerError, postJson } from '../../../src/page/connection/get-json.ts';
import { PAGE_DOCUMENT } from '../support/page-document.ts';

function ask(): Promise<unknown> {
  return postJson('doctor', { server_port: 1 }, new AbortController().signal);
}

describe('a question of the page with a body', () => {
  let answer: Response;
  let asked: { readonly url: string; readonly request: RequestInit };

  beforeEach(() => {
    Object.assign(globalThis, { document: PAGE_DOCUMENT });
    mock.method(globalThis, 'fetch', (url: string, request: RequestInit) => {
      asked = { url, request };
      return Promise.resolve(answer);
    });
  });
  afterEach(() => {
    mock.reset();
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('goes to the service that the page is of, as JSON', async () => {
    answer = Response.json({ status: 'success', listed: true });
    expect(await ask()).to.deep.equal({ status: 'success', listed: true });
    expect(asked.url).to.equal('https://list.test/games/doctor');
    expect(asked.request).to.deep.include({
      method: 'POST',
      body: '{"server_port":1}',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    });
  });

  it('tells of an error its code, its words, and how long to wait', async () => {
    const body = { status: 'error', error: 'too many', code: 'rate_limited' };
    answer = Response.json(body, { status: 429, headers: { 'Retry-After': '7' } });
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(AnswerError);
    expect(error).to.include({ code: 'rate_limited', reason: 'too many', retryAfterMs: 7000 });
  });
});

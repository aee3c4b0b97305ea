import { mock } from 'node:test';
import { expect } from 'chai';
import { AnswerError, getJson } from '../../../src/page/connection/get-json.ts';
import { PAGE_DOCUMENT } from '../support/page-document.ts';

describe('a request of the page', () => {
  let answer: Response;
  let asked: string;

  beforeEach(() => {
    Object.assign(globalThis, { document: PAGE_DOCUMENT });
    mock.method(globalThis, 'fetch', (url: string) => {
      asked = url;
      return Promise.resolve(answer);
    });
  });
  afterEach(() => {
    mock.reset();
    Reflect.deleteProperty(globalThis, 'document');
  });

  /** The code of the error, or what was answered. */
  const outcome = async (status: number, body: string): Promise<unknown> => {
    answer = new Response(body, { status });
    try {
      return await getJson('stats', new AbortController().signal);
    } catch (error) {
      return error instanceof AnswerError ? error.code : 'no JSON';
    }
  };

  it('goes to the service that the page is of', async () => {
    expect(await outcome(200, '{"status":"success","servers":3}')).to.deep.equal({
      status: 'success',
      servers: 3,
    });
    expect(asked).to.equal('https://list.test/games/stats');
  });

  it('tells the code of an error', async () => {
    const error = '{"status":"error","error":"…","code":"unknown_server"}';
    expect(await outcome(404, error)).to.equal('unknown_server');
  });

  for (const [status, body] of [
    [404, '{"code":"unknown_server"}'],
    [200, '{}'],
    [200, 'null'],
    [200, '{"status":"error"}'],
    [500, '{"status":"success"}'],
  ] as const)
    it(`takes ${status} with ${body} for no answer of the service`, async () => {
      expect(await outcome(status, body)).to.equal(undefined);
    });

  it('fails where a proxy answers with a page', async () => {
    expect(await outcome(502, '<!doctype html>')).to.equal('no JSON');
  });
});

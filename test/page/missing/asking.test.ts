import { mock } from 'node:test';
import { expect } from 'chai';
import { AnswerError, type Answers } from '../../../src/page/connection/get-json.ts';
import { Asking, type Question } from '../../../src/page/missing/asking.ts';

const DIAGNOSIS: Answers['Diagnosis'] = {
  status: 'success',
  client_address: '203.0.113.7',
  listed: false,
  cause: 'unknown',
  says: 'no game server is known',
  next_step: 'start it',
  checks: [],
};

function anError(code: string | undefined, retryAfter?: string): AnswerError {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  return new AnswerError(new Response('', { status: 400, headers }), code, 'the words of the API');
}

describe('asking for a missing server', () => {
  let asking: Asking;
  let questions: Question[];
  let signal: AbortSignal;
  let answer: (given: Answers['Diagnosis']) => void;
  let fail: (error: unknown) => void;
  let seen: string[];

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    questions = [];
    seen = [];
    asking = new Asking((question, given) => {
      questions.push(question);
      signal = given;
      return new Promise((resolve, reject) => {
        answer = resolve;
        fail = reject;
        given.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    });
    asking.subscribe(() => seen.push(asking.status.is));
  });
  afterEach(() => mock.reset());

  /** Of a question that comes to this error. */
  const statusAfter = async (error: unknown): Promise<unknown> => {
    const asked = asking.ask({ server_port: 1 });
    fail(error);
    await asked;
    return asking.status;
  };

  it('tells what it waits for, and what came', async () => {
    expect([asking.status.is, asking.isBusy]).to.deep.equal(['idle', false]);
    const asked = asking.ask({ server_port: 7777 });
    expect([asking.status.is, asking.isBusy]).to.deep.equal(['asking', true]);
    answer(DIAGNOSIS);
    await asked;
    expect(asking.status).to.deep.equal({ is: 'told', diagnosis: DIAGNOSIS });
    expect(asking.isBusy).to.equal(false);
    expect(seen).to.deep.equal(['asking', 'told']);
    expect(questions).to.deep.equal([{ server_port: 7777 }]);
  });

  it('asks one question at a time, and again after its answer', async () => {
    const asked = asking.ask({ server_port: 1 });
    await asking.ask({ server_port: 2 });
    answer(DIAGNOSIS);
    await asked;
    void asking.ask({ server_port: 3 });
    expect(questions.map(({ server_port: port }) => port)).to.deep.equal([1, 3]);
  });

  it('waits as long as a limit says, and is then as before', async () => {
    expect(await statusAfter(anError('rate_limited', '12'))).to.include({ cause: 'limited', waitMs: 12_000 });
    expect(asking.isBusy).to.equal(true);
    await asking.ask({ server_port: 2 });
    mock.timers.tick(11_999);
    expect(asking.isBusy).to.equal(true);
    mock.timers.tick(1);
    expect([asking.status.is, asking.isBusy]).to.deep.equal(['idle', false]);
    expect(questions).to.have.length(1);
    expect(seen).to.deep.equal(['asking', 'failed', 'idle']);
  });

  it('waits for a while where a limit says nothing', async () => {
    expect(await statusAfter(anError('rate_limited'))).to.include({ cause: 'limited', waitMs: 10_000 });
  });

  it('waits as long as a service says that has no answer now', async () => {
    const error = anError('registry_unavailable', '3');
    expect(await statusAfter(error)).to.include({ cause: 'unavailable', waitMs: 3000 });
    expect(asking.isBusy).to.equal(true);
  });

  for (const [error, cause] of [
    [anError('invalid_request'), 'refused'],
    [anError('cross_site'), 'refused'],
    [anError('not_allowed'), 'refused'],
    [anError('unauthorized'), 'unauthorized'],
    [anError('registry_unavailable'), 'unavailable'],
    // Of a replica that is older than the page.
    [anError('not_found'), 'unavailable'],
    [anError(undefined), 'unavailable'],
    [new SyntaxError('the page of a proxy'), 'unavailable'],
    [new TypeError('Failed to fetch'), 'offline'],
  ] as const)
    it(`says "${cause}" after ${error.message}, and may ask again`, async () => {
      expect(await statusAfter(error)).to.include({ is: 'failed', cause, waitMs: 0 });
      expect(asking.isBusy).to.equal(false);
    });

  it('keeps the words of a refusal', async () => {
    expect(await statusAfter(anError('invalid_request'))).to.include({ reason: 'the words of the API' });
  });

  it('gives up an answer that does not come', async () => {
    const asked = asking.ask({ server_port: 1 });
    mock.timers.tick(20_000);
    await asked;
    expect(asking.status).to.include({ is: 'failed', cause: 'unavailable' });
  });

  it('ends its request when it is closed, and tells nobody', async () => {
    const asked = asking.ask({ server_port: 1 });
    asking.close();
    expect(signal.aborted).to.equal(true);
    await asked;
    expect(seen).to.deep.equal(['asking']);
  });

  it('has nothing planned once it is closed', async () => {
    await statusAfter(anError('rate_limited', '12'));
    asking.close();
    mock.timers.tick(20_000);
    expect(seen).to.deep.equal(['asking', 'failed']);
  });
});

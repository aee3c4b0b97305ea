/**
 * Random broken requests, on several connections at once: no 5xx but 505, no answer that is no HTTP, no connection that
 * hangs. Request n is that of the seed + n; FUZZ_SEED repeats a run, or tries another.
 */

import { expect } from 'chai';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ERRORS } from '../../../src/model/errors.ts';
import type { Service } from '../../../src/service/service.ts';
import { ApiDescription } from '../../support/api-description.ts';
import { ask } from '../../support/ask.ts';
import { ADMIN_KEY, createFuzzRequest, type FuzzRequest } from '../../support/fuzz-requests.ts';
import { openRawConnection, type RawAnswer, type RawConnection } from '../../support/raw-connection.ts';
import { runs } from '../../support/runs.ts';
import { silentLogger, startTestService } from '../../support/start-test-service.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 53_600);
const REQUESTS = runs(600);
const CONNECTIONS = 16;
/** No answer takes so long; without this limit one that never comes would only end the whole run. */
const HANGING_MS = 15_000;

const AN_ERROR = { $ref: '#/components/schemas/Error' };

/** The answer to a request, of which one knows neither what it asks for nor whether it gets it. */
function checkAnswer(
  { status, headers, body }: RawAnswer,
  method: FuzzRequest['method'],
  description: ApiDescription,
): void {
  if (status !== ERRORS.http_version_not_supported.status) expect(status).to.be.below(500);
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) {
    expect(body).to.have.length(0);
    return;
  }
  const encoding = headers['content-encoding'];
  const plain =
    encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body;
  if (headers['content-type']?.startsWith('text/plain')) {
    expect(plain.toString()).to.contain('# TYPE gsls_');
    return;
  }
  if (headers['content-type']?.startsWith('text/html')) {
    expect(plain.toString()).to.contain('<title>GSLS API</title>');
    return;
  }
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  const parsed = JSON.parse(plain.toString()) as { status?: string; code?: keyof typeof ERRORS };
  expect(parsed).to.be.an('object').that.is.not.an('array');
  if (status < 400) expect(parsed.status ?? 'success').to.equal('success');
  else {
    expect(parsed.status).to.equal('error');
    expect(ERRORS[parsed.code!].status).to.equal(status);
    expect(description.problems(AN_ERROR, parsed)).to.equal('');
  }
}

/** Sends the request and reads all that comes. Returns whether the connection is good for another. */
async function exchange(
  connection: RawConnection,
  request: FuzzRequest,
  description: ApiDescription,
): Promise<boolean> {
  const { bytes, complete, method } = request;
  connection.send(bytes);
  if (!complete) connection.socket.end();
  for (let count = 0; ; count += 1) {
    const answer = await connection.answerOrEnd(method);
    if (answer === undefined) {
      if (complete) throw new Error('no answer');
      return false;
    }
    checkAnswer(answer, method, description);
    if (complete && answer.status >= 200) return answer.headers['connection'] !== 'close';
    if (count > 50) throw new Error('more answers than there were requests');
  }
}

async function runOne(
  connection: RawConnection,
  number: number,
  description: ApiDescription,
): Promise<boolean> {
  const request = createFuzzRequest(SEED + number);
  const limit = setTimeout(() => connection.socket.destroy(new Error('hanging')), HANGING_MS);
  try {
    return await exchange(connection, request, description);
  } catch (error) {
    const text = JSON.stringify(request.bytes.toString('latin1').slice(0, 2000));
    throw new Error(`FUZZ_SEED=${SEED}, request ${number}: ${(error as Error).message}\n${text}`, {
      cause: error,
    });
  } finally {
    clearTimeout(limit);
  }
}

describe('fuzzing', function () {
  this.timeout(300_000);
  let service: Service;
  const defects: unknown[] = [];
  const noteDefect = (defect: unknown): void => void defects.push(defect);
  before(async () => {
    process.on('unhandledRejection', noteDefect);
    // Entries of the same address replace each other, so the list stays short.
    const logger = { ...silentLogger, error: noteDefect };
    const options = {
      GSLS_UNIQUE_ADDRESS: 'true',
      GSLS_ADMIN_KEY: ADMIN_KEY,
      GSLS_ALLOW_UNLISTED: 'true',
      GSLS_TRUST_PROXY: 'loopback',
      // A busy machine would be a reason for 503.
      GSLS_NO_LOAD_SHEDDING: 'true',
    };
    service = await startTestService(options, logger);
  });
  after(async () => {
    await service.close();
    process.off('unhandledRejection', noteDefect);
  });

  it(`survives ${REQUESTS} requests and answers each that is whole`, async () => {
    let next = 0;
    const failures: Error[] = [];
    const description = await ApiDescription.of(service);
    const work = async (): Promise<void> => {
      let connection: RawConnection | undefined;
      while (next < REQUESTS && failures.length < 5) {
        connection ??= await openRawConnection(service);
        const isGood = await runOne(connection, next++, description).catch((error: Error) => {
          failures.push(error);
          return false;
        });
        if (isGood) continue;
        connection.destroy();
        connection = undefined;
      }
      connection?.destroy();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    expect(failures.map(({ message }) => message).join('\n\n')).to.equal('');
    expect(defects).to.deep.equal([]);
  });

  it('leaves a service that answers, and no connection hanging', async () => {
    const { status, body } = await ask(service, 'GET /');
    expect(status).to.equal(200);
    expect(body.servers).to.have.length(body.count!);
    const startedAt = Date.now();
    await service.close();
    // One that hangs would be cut off after 6 s.
    expect(Date.now() - startedAt).to.be.below(5500);
  });
});

/** Expect: 100-continue (RFC 9110 section 10.1.1): the service requests a body only when it reads one. */

import { expect } from 'chai';
import type { ErrorCode } from '../../../../src/model/errors.ts';
import { expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { jsonOf, openRawConnection } from '../../../support/raw-connection.ts';
import { useService } from '../../../support/use-service.ts';

const BODY = JSON.stringify(aBroadcast());

function askFirst(line: string, headers = '', length = BODY.length): string {
  return `${line} HTTP/1.1\r\nHost: a\r\n${headers}Expect: 100-Continue\r\nContent-Length: ${length}\r\n\r\n`;
}

describe('a client that expects 100 Continue before it sends a body', () => {
  const service = useService({ GSLS_KEY: 'secret' });
  const key = 'Authorization: secret\r\n';

  it('gets 100 Continue once, and then the answer', async () => {
    const connection = await openRawConnection(service);
    expect((await connection.send(askFirst('POST /broadcast', key)).answer()).status).to.equal(100);
    const answer = await connection.send(BODY).answer();
    expect(jsonOf(answer)).to.have.property('status', 'success');
    expect(answer.headers['connection']).to.equal('keep-alive');
    connection.destroy();
  });

  const refused: Readonly<Record<string, readonly [bytes: string, code: ErrorCode]>> = {
    'without a key': [askFirst('POST /broadcast'), 'unauthorized'],
    'with a wrong key': [askFirst('POST /broadcast', 'Authorization: Bearer x\r\n'), 'unauthorized'],
    'for a method that the path does not have': [askFirst('DELETE /broadcast', key), 'method_not_allowed'],
    'at an unknown path': [askFirst('POST /nowhere', key), 'not_found'],
    'for a body that is too large': [askFirst('POST /broadcast', key, 100_000), 'body_too_large'],
    'for a compressed body': [
      askFirst('POST /ping', `${key}Content-Encoding: gzip\r\n`),
      'unsupported_encoding',
    ],
    'with two Hosts': [askFirst('POST /ping', `${key}Host: b\r\n`), 'invalid_request'],
  };
  for (const [how, [bytes, code]] of Object.entries(refused))
    it(`gets ${code} instead ${how}, and the connection is closed`, async () => {
      const connection = await openRawConnection(service);
      const answer = await connection.send(bytes).answer();
      expectError({ ...answer, body: jsonOf(answer) }, code);
      expect(answer.headers['connection']).to.equal('close');
      await connection.end();
    });

  it('gets no 100 Continue where no body is read', async () => {
    const connection = await openRawConnection(service);
    expect((await connection.send(askFirst('GET /health', key)).answer()).status).to.equal(200);
    await connection.end();
  });

  it('gets no 100 Continue for another expectation, or in HTTP/1.0', async () => {
    for (const [version, expectation] of [
      ['1.1', 'tea'],
      ['1.0', '100-continue'],
    ]) {
      const connection = await openRawConnection(service);
      connection.send(
        `POST /broadcast HTTP/${version}\r\nHost: a\r\n${key}Expect: ${expectation}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
      );
      expect((await connection.answer()).status).to.equal(200);
      connection.destroy();
    }
  });
});

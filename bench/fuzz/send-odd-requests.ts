/** Odd requests on a connection, and what is answered. */

import { setTimeout as delay } from 'node:timers/promises';
import { createFuzzRequest, createRandom } from '../../test/support/fuzz-requests.ts';
import type { RawConnection } from '../../test/support/raw-connection.ts';

/** Of one connection without waiting. */
const MOST_PIPELINED = 6;

/** Some requests without waiting in between; sometimes the connection breaks before their answers. */
export async function sendOddRequests(
  connection: RawConnection,
  seed: number,
  count: (requests: number) => void,
  noteStatus: (status: number) => void,
): Promise<void> {
  const random = createRandom(seed);
  const batch = Array.from({ length: 1 + Math.floor(random() * MOST_PIPELINED) }, (_, n) =>
    createFuzzRequest(seed + n),
  );
  // What follows a request without a clear end may be taken for its body.
  const end = batch.findIndex(({ complete }) => !complete);
  const sent = end === -1 ? batch : batch.slice(0, end + 1);
  count(sent.length);
  const bytes = Buffer.concat(sent.map((request) => request.bytes));
  if (random() < 0.1) {
    connection.send(bytes.subarray(0, Math.floor(random() * bytes.length)));
    await delay(1);
    connection.socket.resetAndDestroy();
    return;
  }
  connection.send(bytes);
  if (end !== -1) connection.socket.end();
  for (const { complete, method } of sent) {
    const answer = await finalAnswer(connection, method, noteStatus);
    if (answer === undefined || answer.headers['connection'] === 'close') return;
    // Bytes without a clear end may get any number of answers.
    if (!complete) while ((await finalAnswer(connection, 'other', noteStatus)) !== undefined);
  }
}

/** Undefined when the connection ends. */
async function finalAnswer(
  connection: RawConnection,
  method: 'HEAD' | 'other',
  noteStatus: (status: number) => void,
): ReturnType<RawConnection['answerOrEnd']> {
  for (;;) {
    const answer = await connection.answerOrEnd(method);
    if (answer === undefined) return undefined;
    if (answer.status < 200) continue;
    noteStatus(answer.status);
    return answer;
  }
}

import { expect } from 'chai';
import type { AskOptions, TestAnswer } from './ask.ts';
import { aBroadcast } from './builders.ts';

const FORGED: readonly Record<string, string>[] = [
  {},
  { 'X-Forwarded-For': '192.0.2.1' },
  { 'X-Forwarded-For': '192.0.2.1, 127.0.0.9' },
  { 'X-Forwarded-For': 'junk' },
  { Forwarded: 'for=192.0.2.1' },
  { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' },
  { 'X-Real-IP': '192.0.2.1', forwarded: 'for=192.0.2.1' },
];

/** Expects that a proxy tells its replicas the address of the client, 127.0.0.1, whatever the client says of it. */
export async function expectTrueAddress(
  askProxy: (call: string, options?: AskOptions) => Promise<TestAnswer>,
): Promise<void> {
  const ids = await Promise.all(
    FORGED.map(async (headers) => {
      const body = aBroadcast({ server_ip: 'auto' });
      const made = await askProxy('POST /broadcast', { body, headers });
      expect(made.status, made.text).to.equal(200);
      return made.body.server_id;
    }),
  );
  const { servers } = (await askProxy('GET /')).body;
  const ips = servers!.filter(({ id }) => ids.includes(id)).map(({ ip }) => ip);
  expect(ips).to.deep.equal(FORGED.map(() => '127.0.0.1'));
}

/** What clients may rely on behind a proxy that balances replicas: their requests and streams go on. */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { deriveGameServerId } from '../../src/model/game-server.ts';
import type { Address, AskOptions, TestAnswer } from './ask.ts';
import { aBroadcast, aGameServer } from './builders.ts';
import { ChangesFollower, type FollowOptions } from './follow-changes.ts';
import { listen } from './listen.ts';
import type { RunningProcess } from './processes.ts';
import { until } from './until.ts';

type Ask = (call: string, options?: AskOptions) => Promise<TestAnswer>;

/**
 * Expects that a request goes to another replica when the one at `quitter` hangs up on it, a broadcast with the same
 * Idempotency-Key. Resolves with a key that the proxy made.
 */
export async function expectHangUpsHidden(askProxy: Ask, { host, port }: Address): Promise<string> {
  const hungUpOn: { readonly url: string; readonly key: string | undefined }[] = [];
  const quitter = createServer(({ url, headers, socket }, response) => {
    if (url === '/health') {
      response.end('{}');
      return;
    }
    hungUpOn.push({ url: url!, key: headers['idempotency-key'] as string | undefined });
    socket.destroy();
  });
  await listen(quitter, host, port);

  /** Asks until the request reached the quitter first. Resolves with the answer of another replica. */
  async function afterHangUp(call: string, options: AskOptions = {}) {
    let passed: Pick<TestAnswer, 'body'> & { readonly key: string | undefined };
    // A proxy may leave it alone for a second after each time.
    await until(async () => {
      const earlier = hungUpOn.length;
      const { status, body, text } = await askProxy(call, options);
      expect(status, text).to.equal(200);
      const hangUp = hungUpOn.slice(earlier).find(({ url }) => call.endsWith(` ${url}`));
      if (hangUp !== undefined) passed = { body, key: hangUp.key };
      return hangUp !== undefined;
    });
    return passed!;
  }

  try {
    expect((await afterHangUp('GET /')).body).to.have.property('servers');
    const made = await afterHangUp('POST /broadcast', { body: aBroadcast() });
    expect(made.body.server_id).to.equal(deriveGameServerId(made.key!, aGameServer()));
    const other = await afterHangUp('POST /broadcast', { body: aBroadcast() });
    expect(other.key).to.not.equal(made.key);
    const headers = { 'Idempotency-Key': 'of the client' };
    const own = await afterHangUp('POST /broadcast', { body: aBroadcast(), headers });
    expect(own.key).to.equal('of the client');
    expect(own.body.server_id).to.equal(deriveGameServerId('of the client', aGameServer()));
    const ping = aBroadcast({ server_id: own.body.server_id });
    expect((await afterHangUp('POST /ping', { body: ping })).key).to.equal(undefined);
    return made.key!;
  } finally {
    quitter.closeAllConnections();
    await new Promise((resolve) => quitter.close(resolve));
  }
}

/** Clients of streams, each second one without compression. */
export function startFollowers(
  { host, port }: Address,
  headers: FollowOptions['headers'] = {},
): readonly ChangesFollower[] {
  const urls = [`http://${host}:${port}`];
  return [true, false, true, false].map((isGzip) =>
    new ChangesFollower({ urls, by: 'stream', headers, isGzip }).start(),
  );
}

/** Stops them, and expects that no stream was cut off and that each was told the whole list once. */
export async function stopUndisturbed(followers: readonly ChangesFollower[]): Promise<void> {
  await Promise.all(followers.map((follower) => follower.stop()));
  for (const { fulls, failures, complaints } of followers)
    expect({ fulls, failures, complaints }).to.deep.equal({ fulls: 1, failures: 0, complaints: [] });
}

/** Expects that these go on at another replica, undisturbed, while each one stops and starts again. */
export async function expectStreamsLed<Replica>(
  askProxy: Ask,
  proxy: RunningProcess,
  followers: readonly ChangesFollower[],
  replicas: readonly Replica[],
  { stop, start }: Readonly<Record<'stop' | 'start', (replica: Replica) => Promise<void>>>,
): Promise<void> {
  const { body } = await askProxy('POST /broadcast', { body: aBroadcast({ server_name: 'streamed' }) });
  const untilTold = (players: number): Promise<void> =>
    until(() => followers.every(({ servers }) => servers.get(body.server_id!)?.players === players), proxy);
  const ping = aBroadcast({ server_id: body.server_id, server_name: 'streamed' });
  await untilTold(3);
  for (const [index, replica] of replicas.entries()) {
    await stop(replica);
    await askProxy('POST /ping', { body: { ...ping, players: 10 + index } });
    await untilTold(10 + index);
    await start(replica);
  }
  await stopUndisturbed(followers);
}

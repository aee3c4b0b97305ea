/**
 * Clients that hang up by a reset as soon as they have sent: what they sent counts as theirs, or is not carried out.
 */

import { once } from 'node:events';
import { expect } from 'chai';
import { ask } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { openRawConnection, plainRequest } from '../../../support/raw-connection.ts';
import { silentLogger, startTestService } from '../../../support/start-test-service.ts';
import { until } from '../../../support/until.ts';
import { useService } from '../../../support/use-service.ts';

const REQUESTS = 200;
const AT_A_TIME = 20;
const QUOTA = 2;
const BOSS = { Authorization: 'Bearer boss' };

describe('a client that resets each connection as soon as it has sent its request', () => {
  const service = useService({ GSLS_MAX_SERVERS_PER_ADDRESS: String(QUOTA), GSLS_ADMIN_KEY: 'boss' });

  async function sendAndReset(call: string, fieldsOf: (n: number) => object): Promise<void> {
    const send = async (n: number): Promise<void> => {
      const connection = await openRawConnection(service);
      const { socket } = connection;
      const sent = new Promise((resolve) => socket.write(plainRequest(call, fieldsOf(n)), resolve));
      await sent;
      socket.resetAndDestroy();
    };
    for (let n = 0; n < REQUESTS; n += AT_A_TIME)
      await Promise.all(Array.from({ length: AT_A_TIME }, (_, at) => send(n + at)));
    // Connections are accepted in order: whatever was to be read of those is read.
    await until(async () => (await openConnections()) === 1);
  }

  async function openConnections(): Promise<number> {
    const { text } = await ask(service, 'GET /metrics', { headers: { Connection: 'close' } });
    return Number(/^gsls_open_connections (\d+)$/m.exec(text)![1]);
  }

  const listed = async (): Promise<number> => (await ask(service, 'GET /')).body.count!;

  it('lists no more game servers than its quota', async () => {
    await sendAndReset('POST /broadcast', (n) => aBroadcast({ server_port: n + 1 }));
    expect(await listed()).to.be.at.most(QUOTA);
  });

  it('does not evade the ban of its address', async () => {
    const ban = { address: '127.0.0.0/8', reason: 'spam', mode: 'refuse' };
    expect((await ask(service, 'POST /admin/bans', { body: ban, headers: BOSS })).status).to.equal(201);
    const before = await listed();
    await sendAndReset('POST /broadcast', (n) => aBroadcast({ server_port: n + 1000 }));
    expect(await listed()).to.be.at.most(before);
  });
});

describe('a reader that hangs up in the middle of a long list', () => {
  it('leaves no line in the log', async () => {
    const complaints: string[] = [];
    const complain = (_fields: object, message: string): void => void complaints.push(message);
    const service = await startTestService(
      // So many broadcasts may overload a slow machine, which would say so.
      { GSLS_NO_LOAD_SHEDDING: 'true' },
      { ...silentLogger, warn: complain, error: complain },
    );
    try {
      const body = aBroadcast({
        server_name: 'x'.repeat(128),
        server_host: `${'x'.repeat(60)}.`.repeat(4) + 'x',
      });
      for (let n = 0; n < 200; n += 100)
        await Promise.all(Array.from({ length: 100 }, () => ask(service, 'POST /broadcast', { body })));
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { socket } = (await openRawConnection(service)).send(plainRequest('GET /'));
          await once(socket, 'data');
          socket.resetAndDestroy();
          await once(socket, 'close');
        }),
      );
      expect((await ask(service, 'GET /')).body.count).to.equal(200);
      expect(complaints).to.deep.equal([]);
    } finally {
      await service.close();
    }
  });
});

/** Many connections that say nothing do not keep others out. */

import { expect } from 'chai';
import { ask } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { openRawConnection, type RawConnection } from '../../../support/raw-connection.ts';
import { runs } from '../../../support/runs.ts';
import { startListeningCli } from '../../../support/start-cli.ts';

/** As many files as this process, and so the service, may have open; some are needed for other things. */
function spareFiles(): number {
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files: { soft: number | 'unlimited' } };
  };
  const limit = userLimits?.open_files.soft ?? 1000;
  return limit === 'unlimited' ? Infinity : limit - 200;
}

const COUNT = Math.min(runs(2000), 10_000, spareFiles());
/** Fewer than fit into the queue of connections to be accepted. */
const AT_ONCE = 400;

/** One that has had an answer: it may stay for 75 s, one that never asked only for 5. */
async function openIdleConnection(service: { readonly url: string }): Promise<RawConnection> {
  const connection = await openRawConnection(service);
  await connection.send('OPTIONS /health HTTP/1.1\r\nHost: a\r\n\r\n').answer();
  return connection;
}

describe('the service', function () {
  // Shorter than an idle connection may stay.
  this.timeout(60_000);

  it(`serves others while ${COUNT} connections are idle`, async () => {
    const cli = await startListeningCli();
    const idle: RawConnection[] = [];
    try {
      while (idle.length < COUNT) {
        const batch = Math.min(AT_ONCE, COUNT - idle.length);
        idle.push(...(await Promise.all(Array.from({ length: batch }, () => openIdleConnection(cli)))));
      }
      const { status } = await ask(cli, 'POST /broadcast', { body: aBroadcast() });
      expect(status).to.equal(200);
      expect((await ask(cli, 'GET /')).body.count).to.equal(1);
      expect(idle.filter(({ socket }) => socket.readyState === 'open')).to.have.length(COUNT);
      const [one] = idle;
      expect((await one!.send('GET /health HTTP/1.1\r\nHost: a\r\n\r\n').answer()).status).to.equal(200);
    } finally {
      // Without a reset each would keep its port for a minute.
      for (const { socket } of idle) socket.resetAndDestroy();
      await cli.stop();
    }
  });
});

/** What holds for probes of each kind. */

import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PROBE_KINDS, tellsPlayers } from '../../../src/api/reachability/probe-result.ts';
import { freePort } from '../../support/free-port.ts';
import { useProbes } from './use-probes.ts';

describe('a probe', () => {
  const probes = useProbes();

  for (const kind of PROBE_KINDS) {
    it(`of kind ${kind} is not tried when it was given up before`, async () => {
      probes.giveUp();
      expect(await probes.outcome(kind, 7777)).to.equal('not_tried');
    });

    it(`of kind ${kind} says that there is no route`, async () => {
      expect(await probes.outcome(kind, 7777, '255.255.255.255')).to.equal('unreachable');
    });

    it(`of kind ${kind} ends when it is given up at once, before anything is sent`, async () => {
      const port = await freePort();
      const result = probes.start(kind, port);
      probes.giveUp();
      expect(await result).to.deep.equal({
        outcome: 'not_tried',
        words: `${tellsPlayers(kind) ? 'UDP' : 'TCP'} 127.0.0.1:${port} was not tried yet`,
      });
    });
  }

  it('never rejects, even if there is no such port', async () => {
    expect(await probes.outcome('a2s', 70_000)).to.equal('not_tried');
  });

  it('says that no connection was established in time', async () => {
    // The time passes before the event loop gets to the connection.
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    probes.afterwards(() => server.close());
    const { port } = server.address() as AddressInfo;
    const result = probes.start('tcp', port);
    await probes.clock.advance(3000);
    expect(await result).to.deep.equal({
      outcome: 'no_answer',
      words: `no answer on TCP 127.0.0.1:${port} within 3 s: is the port open?`,
    });
  });
});

/** A process that stood still, and those who asked it meanwhile. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { watchForProcessPauses, type ProcessPauseWatch } from '../../src/http/process-pause.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { openRawConnection, plainRequest } from '../support/raw-connection.ts';
import { startListeningCli, type ListeningCli } from '../support/start-cli.ts';

describe('a standstill', () => {
  describe('of the clock', () => {
    let now: number;
    let watch: ProcessPauseWatch;
    beforeEach(() => {
      now = 5000;
      watch = watchForProcessPauses(() => now);
    });
    afterEach(() => watch.stop());

    function hasJustEndedAfter(ms: number): boolean {
      now += ms;
      return watch.hasJustEnded();
    }

    it('is noticed by the first who asks, and soon over', () => {
      expect(hasJustEndedAfter(1001)).to.equal(true);
      expect(hasJustEndedAfter(249)).to.equal(true);
      expect(hasJustEndedAfter(1)).to.equal(false);
    });

    it('is none when it is short', () => {
      expect(hasJustEndedAfter(0)).to.equal(false);
      expect(hasJustEndedAfter(1000)).to.equal(false);
    });
  });

  describe('of the process', function () {
    // Elsewhere no signal freezes a process.
    if (process.platform === 'win32') return;
    this.timeout(30_000);
    let cli: ListeningCli;
    afterEach(() => cli.stop());

    it('ends with answers for those who still wait, and nothing done for those who hung up', async () => {
      cli = await startListeningCli();
      const { server_id: id } = (await ask(cli, 'POST /broadcast', { body: aBroadcast() })).body;
      const pingOf = (players: number): string =>
        plainRequest('POST /ping', aBroadcast({ server_id: id, players }));
      const impatient = await openRawConnection(cli);
      const patient = await openRawConnection(cli);
      cli.kill('SIGSTOP');
      patient.send(pingOf(2));
      impatient.send(pingOf(3)).socket.end();
      await delay(1100);
      cli.kill('SIGCONT');
      expect((await patient.answer()).status).to.equal(200);
      await impatient.end();
      expect((await ask(cli, 'GET /')).body.servers?.[0]?.players).to.equal(2);
    });
  });
});

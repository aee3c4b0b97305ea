/** A pause of the process, and the requests that arrived meanwhile. */

import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { DEADLINES } from '../../../../src/runtime/deadlines.ts';
import {
  watchForProcessPauses,
  type ProcessPauseWatch,
} from '../../../../src/api/http/server/process-pause.ts';
import { Pulse } from '../../../../src/runtime/pulse.ts';
import { addressOf, ask } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { needs } from '../../../support/needs.ts';
import { openRawConnection, plainRequest } from '../../../support/raw-connection.ts';
import { startListeningCli, type ListeningCli } from '../../../support/start-cli.ts';
import { until } from '../../../support/until.ts';

const BACKLOG = 20;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

describe('a process pause', () => {
  describe('by the clock', () => {
    let now: number;
    let pulse: Pulse;
    let watch: ProcessPauseWatch;
    beforeEach(() => {
      now = 5000;
      pulse = new Pulse(DEADLINES, () => now);
      watch = watchForProcessPauses(BACKLOG, pulse);
    });
    afterEach(() => {
      watch.stop();
      pulse.stop();
    });

    function hasJustEndedAfter(ms: number): boolean {
      now += ms;
      return watch.hasJustEnded();
    }

    it('over 1 s is noticed at the first request, and forgotten 250 ms later', async () => {
      expect(hasJustEndedAfter(1001)).to.equal(true);
      await turns(10);
      expect(hasJustEndedAfter(249)).to.equal(true);
      expect(hasJustEndedAfter(1)).to.equal(false);
    });

    it('is not forgotten before some turns have passed, however long they take', async () => {
      expect(hasJustEndedAfter(1001)).to.equal(true);
      expect(hasJustEndedAfter(500)).to.equal(true);
      await turns(5);
      expect(hasJustEndedAfter(500)).to.equal(true);
      await turns(5);
      expect(hasJustEndedAfter(1)).to.equal(false);
    });

    it('is not forgotten while connections that waited are accepted, one in each turn', async () => {
      expect(hasJustEndedAfter(1001)).to.equal(true);
      for (let n = 0; n < BACKLOG; n += 1) {
        await turns(1);
        watch.noteConnection();
      }
      expect(hasJustEndedAfter(500)).to.equal(true);
      for (let n = 0; n < 10; n += 1) {
        await turns(1);
        watch.noteConnection();
      }
      expect(hasJustEndedAfter(1)).to.equal(false);
    });

    it('over 1 s is noticed at the first connection', async () => {
      now += 1001;
      watch.noteConnection();
      expect(hasJustEndedAfter(500)).to.equal(true);
      await turns(10);
      watch.noteConnection();
      expect(hasJustEndedAfter(1)).to.equal(false);
    });

    it('of 1 s or less is ignored', () => {
      expect(hasJustEndedAfter(0)).to.equal(false);
      expect(hasJustEndedAfter(1000)).to.equal(false);
    });
  });

  // On Windows no signal freezes a process.
  needs('POSIX').describe('by SIGSTOP', function () {
    this.timeout(30_000);
    let cli: ListeningCli;
    afterEach(() => cli.stop());

    it('ends with answers for clients that still wait, and drops the requests of clients that hung up', async () => {
      cli = await startListeningCli();
      const { server_id: id } = (await ask(cli, 'POST /broadcast', { body: aBroadcast() })).body;
      const pingOf = (players: number): string =>
        plainRequest('POST /ping', aBroadcast({ server_id: id, players }));
      const impatient = await openRawConnection(cli);
      const patient = await openRawConnection(cli);
      cli.kill('SIGSTOP');
      patient.send(pingOf(2));
      await once(impatient.send(pingOf(3)).socket.end(), 'finish');
      await delay(1100);
      cli.kill('SIGCONT');
      expect((await patient.answer()).status).to.equal(200);
      await impatient.end();
      expect((await ask(cli, 'GET /')).body.servers?.[0]?.players).to.equal(2);
    });

    it('drops the requests of all that connected meanwhile and hung up, also when it is interrupted again', async () => {
      cli = await startListeningCli();
      const { server_id: id } = (await ask(cli, 'POST /broadcast', { body: aBroadcast({ players: 2 }) }))
        .body;
      cli.kill('SIGSTOP');
      let closed = 0;
      const sockets = Array.from({ length: 60 }, () => connect(addressOf(cli)));
      for (const socket of sockets) {
        socket.end(plainRequest('POST /ping', aBroadcast({ server_id: id, players: 3 })));
        socket.on('error', () => undefined).resume();
        socket.once('close', () => {
          closed += 1;
          if (closed === 3) cli.kill('SIGSTOP');
        });
      }
      await until(() => sockets.every(({ writableFinished }) => writableFinished));
      await delay(1100);
      cli.kill('SIGCONT');
      await until(() => closed >= 3);
      await delay(400);
      cli.kill('SIGCONT');
      await until(() => closed === 60);
      expect((await ask(cli, 'GET /')).body.servers?.[0]?.players).to.equal(2);
    });
  });
});

/** `gsls watch` in a terminal and before a pipe: while the list changes, while the service is away, and at its end. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { runProgram } from '../../support/run-program.ts';
import { startProgram } from '../../support/processes.ts';
import { PROGRAM } from '../../support/program.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { Terminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { useService } from '../../support/use-service.ts';
import { aServer, HOSTILE_NAMES } from '../../terminal/a-server.ts';
import { expectComplaint } from './expect-complaint.ts';

describe('gsls watch', function () {
  this.timeout(120_000);
  const service = useService({ GSLS_FEED_INTERVAL: '100' });

  before(() => service.broadcast({ server_name: 'Frankfurt 1', players: 5, map: 'de_dust2' }));

  needs('tmux').describe('in a terminal', () => {
    let terminal: Terminal;
    afterEach(() => terminal.close());

    it('shows what comes and changes, fits any size, and gives the terminal back', async () => {
      terminal = new Terminal(['watch', service.url]);
      await terminal.sees(/Frankfurt 1 +5\/16 {2}de_dust2/);
      expect([terminal.isTaken, terminal.lines[0]]).to.deep.equal([true, `${service.url.padEnd(96)}live`]);
      const port = { server_port: 7778 };
      await service.broadcast({ server_name: '夜猫', players: 9, ...port });
      await terminal.sees(/^\+ 夜猫 +9\/16.*\n +Frankfurt 1/m);
      for (const [columns, rows] of [
        [20, 4],
        [1, 1],
        [60, 12],
      ] as const) {
        terminal.resize(columns, rows);
        await until(
          () => terminal.lines.length <= rows && terminal.lines.every((line) => line.length <= columns),
        );
      }
      await terminal.sees(/^ {2}夜猫/m);
      terminal.press('j', 'Enter');
      await terminal.sees(/^Frankfurt 1$/m);
      terminal.press('q');
      expect(await terminal.ended()).to.equal(0);
      expect(terminal.isTaken).to.equal(false);
    });

    it('draws no more than changed, and no colors where they are not wanted', async () => {
      terminal = new Terminal(['watch', service.url], { environment: { NO_COLOR: '1' } });
      await terminal.sees(/Frankfurt 1/);
      expect(terminal.styled).to.include('\u001b[7m');
      for (const color of ['31m', '32m', '33m']) expect(terminal.styled).to.not.include(color);
      terminal.press('/', 'z', 'z');
      await terminal.sees(/0 of \d servers/);
      terminal.press('C-c');
      expect(await terminal.ended()).to.equal(0);
    });

    it('gives the terminal back when a signal ends it, and while Ctrl-Z stops it', async () => {
      terminal = new Terminal([], { script: 'bash --norc -i' });
      terminal.press(`${Terminal.command(['watch', service.url])}; echo "code $?"`, 'Enter');
      await terminal.sees(/live$/m);
      terminal.press('C-z');
      await terminal.sees(/Stopped/);
      expect(terminal.isTaken).to.equal(false);
      terminal.press('fg', 'Enter');
      await terminal.sees(/live$/m);
      expect(terminal.isTaken).to.equal(true);
      terminal.press('C-z');
      await terminal.sees(/Stopped.*\n(.*\n)*.*Stopped/);
      terminal.press('kill -TERM %1; fg', 'Enter');
      await until(() => !terminal.isTaken);
      terminal.press('echo still here', 'Enter');
      await terminal.sees(/^still here$/m);
    });

    it('says that the service is away and why, keeps the list, and goes on by itself', async () => {
      const port = String(await freePort());
      const start = (): Promise<Service> => startTestService({ GSLS_PORT: port, GSLS_FEED_INTERVAL: '100' });
      let other = await start();
      try {
        await ask(other, 'POST /broadcast', { body: aBroadcast({ server_name: 'Before' }) });
        terminal = new Terminal(['watch', other.url], { columns: 120 });
        await terminal.sees(/Before/);
        await other.close();
        await terminal.sees(
          /away: the connection was refused \(ECONNREFUSED\), as of \S+, next try in \d+ s$/m,
        );
        expect(terminal.text).to.include('Before');
        other = await start();
        await ask(other, 'POST /broadcast', { body: aBroadcast({ server_name: 'After' }) });
        await terminal.sees(/live\n(.*\n)*. After/m, 40_000);
        expect(terminal.text).to.not.include('Before');
      } finally {
        await other.close();
      }
    });

    it('lets nothing of a hostile name reach the terminal', async () => {
      const servers = HOSTILE_NAMES.map((name, id) => aServer({ id: String(id), name, map: name }));
      const hostile: Server = createServer((request, response) => {
        const isStream = request.url!.startsWith('/changes');
        response.setHeader('Content-Type', isStream ? 'text/event-stream' : 'application/json');
        const changes = JSON.stringify({ servers, removed: [], full: true, tag: 't' });
        if (isStream) response.write(`id: t\nevent: changes\ndata: ${changes}\n\n`);
        else response.end(JSON.stringify({ status: 'success', servers: [], count: 0, total: 0, next: null }));
      });
      await listen(hostile, '127.0.0.1', 0);
      try {
        const { port } = hostile.address() as AddressInfo;
        terminal = new Terminal(['watch', `http://127.0.0.1:${port}`], { columns: 80, rows: 30 });
        await terminal.sees(/q quits$/m);
        await terminal.sees(/x…/);
        expect(terminal.lines.filter((line) => /3\/16/.test(line))).to.have.length(HOSTILE_NAMES.length);
        expect(terminal.lines[0]).to.match(/^http:.* live$/);
      } finally {
        hostile.closeAllConnections();
        hostile.close();
      }
    });
  });

  it('gives a pipe a line for each change, and ends when nobody reads any more', async () => {
    const lines = startProgram(process.execPath, [...PROGRAM, 'watch', service.url]);
    await until(() => lines.lines.length > 0, lines);
    expect(lines.lines[0]).to.match(/^\d{4}-\d\d-\d\dT[\d:]{8}Z = \d+ servers, \d+ players$/);
    await service.broadcast({ server_name: 'Madrid 1', server_port: 7790 });
    await until(
      () => lines.lines.some((line) => / \+ Madrid 1 {2}3\/16 {2}203\.0\.113\.7:7790$/.test(line)),
      lines,
    );
    expect(await lines.stop('SIGTERM')).to.equal(0);
    const piped = startProgram('sh', ['-c', `${Terminal.command(['watch', service.url])} | head -n 1`]);
    await until(() => piped.lines.length > 0, piped);
    await service.broadcast({ server_name: 'Madrid 2', server_port: 7791 });
    await until(() => piped.ended);
    expect(piped.lines).to.have.length(1);
  });

  it('ends with code 1 and one line where no patience helps', async () => {
    expectComplaint(
      await runProgram(['watch', service.url, 'players=many']),
      1,
      /answers 400: players must be a number/,
    );
    expectComplaint(
      await runProgram(['watch', 'http://127.0.0.1:1']),
      1,
      /does not answer: the connection was refused/,
    );
  });
});

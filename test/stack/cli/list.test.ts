/** `gsls list` in a terminal, and before a pipe. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { listen } from '../../support/listen.ts';
import { needs } from '../../support/needs.ts';
import { runProgram } from '../../support/run-program.ts';
import { Terminal } from '../../support/terminal.ts';
import { useService } from '../../support/use-service.ts';
import { aServer, HOSTILE_NAMES } from '../../terminal/a-server.ts';
import { expectComplaint } from './expect-complaint.ts';

/** What no terminal may get of a game server: control characters but line ends, and directions. */
const HARMFUL = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

describe('gsls list', function () {
  this.timeout(120_000);
  const service = useService();
  /** A service that tells whatever names there are. */
  let hostile: Server;
  let hostileUrl: string;

  before(async () => {
    await service.broadcast({ server_name: 'Frankfurt 1', region: 'eu', map: 'de_dust2', players: 5 });
    await service.broadcast({ server_name: '夜猫 24時間', region: 'as', server_port: 7778, players: 0 });
    await service.broadcast({ server_name: 'صقور الليل', region: 'as', server_port: 7779 });
    hostile = createServer((_, response) => {
      const servers = HOSTILE_NAMES.map((name) => aServer({ name, map: name }));
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({
          status: 'success',
          servers,
          count: servers.length,
          total: servers.length,
          next: null,
        }),
      );
    });
    await listen(hostile, '127.0.0.1', 0);
    hostileUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  });
  after(() => void hostile.close());

  it('gives a pipe lines of cells, CSV or JSON', async () => {
    const [lines, csv, json] = await Promise.all([
      runProgram(['list', service.url, 'sort=-players']),
      runProgram(['list', service.url, 'region=eu', '--csv', '--columns', 'name,players']),
      runProgram(['list', service.url, '--json', '--limit', '2']),
    ]);
    expect(lines).to.deep.equal({
      code: 0,
      stderr: '',
      stdout:
        'Frankfurt 1\t5\t16\tde_dust2\t\teu\t203.0.113.7:7777\n' +
        'صقور الليل\t3\t16\t\t\tas\t203.0.113.7:7779\n' +
        '夜猫 24時間\t0\t16\t\t\tas\t203.0.113.7:7778\n',
    });
    expect(csv.stdout).to.equal('name,players\r\nFrankfurt 1,5\r\n');
    expect((JSON.parse(json.stdout) as { name: string }[]).map(({ name }) => name)).to.deep.equal([
      'Frankfurt 1',
      '夜猫 24時間',
    ]);
    expect(json.stdout.split('\n')).to.have.length(5);
  });

  it('lets nothing of a hostile name through, in any form', async () => {
    for (const args of [[], ['--csv'], ['--json']]) {
      const { code, stdout } = await runProgram(['list', hostileUrl, ...args]);
      expect(code).to.equal(0);
      expect(stdout).to.not.match(HARMFUL);
    }
  });

  it('ends with code 1 and one line where the service refuses, asks for a key, or is not there', async () => {
    const [wrong, other, away] = await Promise.all([
      runProgram(['list', service.url, 'players_min=1']),
      runProgram(['list', `${service.url}/nowhere`]),
      runProgram(['list', 'http://127.0.0.1:1']),
    ]);
    expectComplaint(wrong, 1, /answers 400: players_min is not a parameter here; did you mean players\?$/m);
    expectComplaint(other, 1, /answers 404: there is nothing at this path/);
    expectComplaint(away, 1, /does not answer: the connection was refused \(ECONNREFUSED\)$/m);
  });

  needs('tmux').describe('in a terminal', () => {
    let terminal: Terminal;
    afterEach(() => terminal.close());

    it('prints a table that fits, with columns in line, and counts', async () => {
      terminal = new Terminal(['list', service.url], { columns: 80 });
      expect(await terminal.ended()).to.equal(0);
      const [head, ...rows] = terminal.printed;
      expect(head).to.match(/^NAME +PLAYERS  MAP +MODE  REGION  ADDRESS$/);
      expect(rows[0]).to.match(/^Frankfurt 1 +5\/16 {2}de_dust2 +eu {6}203\.0\.113\.7:7777$/);
      expect(rows[1]).to.match(/^夜猫 24時間 +0\/16/);
      expect(terminal.printed.at(-1)).to.equal('3 servers, 8 players');
      expect(terminal.styled).to.include('\u001b[1mNAME');
    });

    it('cuts hostile names to a narrow terminal, without colors where they are not wanted', async () => {
      terminal = new Terminal(['list', hostileUrl], {
        columns: 30,
        rows: 40,
        environment: { NO_COLOR: '1' },
      });
      expect(await terminal.ended()).to.equal(0);
      for (const style of ['\u001b[1m', '\u001b[3']) expect(terminal.styled).to.not.include(style);
      // Each server has one line, and nothing has cleared the screen.
      expect(terminal.printed.filter((line) => line.includes('3/16'))).to.have.length(HOSTILE_NAMES.length);
      expect(terminal.printed[0]).to.match(/^NAME +PLAYERS/);
      expect(terminal.printed[HOSTILE_NAMES.length + 1]).to.equal(
        `${HOSTILE_NAMES.length} servers, ${3 * HOSTILE_NAMES.length} players`.slice(0, 30),
      );
    });
  });
});

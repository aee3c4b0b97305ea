/** `gsls list` in a terminal, and before a pipe. */

import { expect } from 'chai';
import { needs } from '../../../support/needs.ts';
import { runProgram } from '../../../support/run-program.ts';
import { Terminal } from '../../../support/terminal.ts';
import { useService } from '../../../support/use-service.ts';
import { expectComplaint } from '../../cli/expect-complaint.ts';

describe('gsls list', function () {
  this.timeout(120_000);
  const service = useService();

  before(async () => {
    await service.broadcast({ server_name: 'Frankfurt 1', region: 'eu', map: 'de_dust2', players: 5 });
    await service.broadcast({ server_name: '夜猫 24時間', region: 'as', server_port: 7778, players: 0 });
    await service.broadcast({ server_name: 'صقور الليل', region: 'as', server_port: 7779 });
  });

  it('gives a pipe lines of cells', async () => {
    expect(await runProgram(['list', service.url, 'sort=-players'])).to.deep.equal({
      code: 0,
      stderr: '',
      stdout:
        'Frankfurt 1\t5\t16\tde_dust2\t\teu\t203.0.113.7:7777\n' +
        'صقور الليل\t3\t16\t\t\tas\t203.0.113.7:7779\n' +
        '夜猫 24時間\t0\t16\t\t\tas\t203.0.113.7:7778\n',
    });
  });

  it('ends with code 1 and one line where nobody answers', async () => {
    const away = await runProgram(['list', 'http://127.0.0.1:1']);
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

    it('has no styles where they are not wanted', async () => {
      terminal = new Terminal(['list', service.url], { environment: { NO_COLOR: '1' } });
      expect(await terminal.ended()).to.equal(0);
      expect(terminal.printed[0]).to.match(/^NAME/);
      expect(terminal.styled).to.not.include('\u001b[1m');
    });
  });
});

/** The built program from its start to its end, as a user meets it; a few seconds, and nothing but Node. */

import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { runCli, startListeningCli, type ListeningCli } from '../support/start-cli.ts';

describe('gsls, as a program,', () => {
  let cli: ListeningCli;
  before(async () => {
    cli = await startListeningCli();
  });
  after(() => cli.stop());

  it('lists what is broadcast, and is healthy', async () => {
    const { body } = await ask(cli, 'POST /broadcast', { body: aBroadcast() });
    const list = await ask(cli, 'GET /');
    expect(list.body.servers?.map(({ id }) => id)).to.deep.equal([body.server_id]);
    const check = await runCli(['healthcheck', '--host', '127.0.0.1', '--port', new URL(cli.url).port]);
    expect(check).to.deep.equal({ code: 0, stdout: 'healthy, 1 server listed\n', stderr: '' });
  });

  // On Windows a process is ended by others without a signal that it could see.
  needs('POSIX').it('stops at SIGTERM with code 0, and its log is JSON, a line for each entry', async () => {
    cli.kill('SIGTERM');
    const { code, stdout, stderr } = await cli.exited;
    expect([code, stderr]).to.deep.equal([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'the registry is in the memory of this process; --data-file keeps it through a restart, --redis shares it between replicas',
      `no key is set: any client that can reach port ${new URL(cli.url).port} may read and write; see --key`,
      `listening on ${cli.url}, for people on ${cli.url}/browse`,
      'draining; a second signal exits at once',
      'stopped',
    ]);
  });

  it('ends with code 2 and one line for a word that it does not know', async () => {
    expect(await runCli(['--prot', '1'])).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: 'gsls: unknown option --prot; did you mean --port?\n',
    });
  });
});

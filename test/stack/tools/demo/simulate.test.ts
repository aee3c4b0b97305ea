/** `gsls simulate` before a service: what it lists, what it says, and that it leaves nothing behind. */

import { expect } from 'chai';
import { isPrivateHost } from '../../../../src/tools/demo/private-host.ts';
import { ask } from '../../../support/ask.ts';
import { needs } from '../../../support/needs.ts';
import { startCli } from '../../../support/start-cli.ts';
import { Terminal } from '../../../support/terminal.ts';
import { until } from '../../../support/until.ts';
import { useService } from '../../../support/use-service.ts';

describe('gsls simulate', function () {
  this.timeout(120_000);
  const service = useService();
  const limited = useService({ GSLS_MAX_SERVERS_PER_ADDRESS: '5', GSLS_KEY: 'secret' });
  const verifying = useService({ GSLS_VERIFY: 'tcp' });
  const quick = useService({ GSLS_TTL: '3' });
  const headers = { Authorization: 'secret' };
  const countOf = async (url: string): Promise<number> =>
    (await ask({ url }, 'GET /', { headers })).body.count!;

  needs('tmux').describe('in a terminal', () => {
    let terminal: Terminal;
    afterEach(() => terminal.close());

    it('tells what is listed, and leaves nothing behind after Ctrl-C', async () => {
      terminal = new Terminal(['simulate', service.url, '--servers', '40'], { columns: 120 });
      await terminal.sees(/^listed 40 of 40 game servers at http:\S+; Ctrl-C removes them$/m);
      expect(await countOf(service.url)).to.equal(40);
      terminal.press('C-c');
      expect(await terminal.ended()).to.equal(0);
      expect(terminal.text).to.include('all game servers are removed');
      expect(await countOf(service.url)).to.equal(0);
    });
  });

  it('says in one line how many are refused, and leaves with SIGTERM', async () => {
    const cli = startCli(['simulate', limited.url, '--servers', '9'], { GSLS_KEY: 'secret' });
    await until(async () => (await countOf(limited.url)) === 5);
    await until(() => cli.stderrSoFar().includes('--quota-exempt'));
    expect(cli.stderrSoFar()).to.match(
      /^listed 5 of 9 game servers, 4 are refused: .* \(quota_exceeded\) at /m,
    );
    cli.kill('SIGTERM');
    const { code, stderr } = await cli.exited;
    expect([code, stderr.split('\n').at(-2)]).to.deep.equal([0, 'all game servers are removed']);
    expect(await countOf(limited.url)).to.equal(0);
  });

  it('says that a service does not show what it verifies', async () => {
    const cli = startCli(['simulate', verifying.url, '--servers', '3']);
    await until(() => cli.stderrSoFar().includes('Ctrl-C'));
    expect(cli.stderrSoFar()).to.match(
      /listed 3 of 3 game servers, 3 are not shown: the service verifies them at /,
    );
    cli.kill('SIGINT');
    expect((await cli.exited).code).to.equal(0);
  });

  it('refuses more than one program can play, with how many it can, and one that the key keeps out', async () => {
    const many = await startCli(['simulate', quick.url, '--servers', '501']).exited;
    expect(many).to.include({ code: 2 });
    expect(many.stderr).to.match(
      /501 game servers that ping every 1 s are too many .*: give --servers 500 or fewer, or the service a longer --ttl/,
    );
    expect(await countOf(quick.url)).to.equal(0);
    const kept = await startCli(['simulate', limited.url, '--servers', '2']).exited;
    expect(kept).to.include({ code: 1 });
    expect(kept.stderr).to.match(
      /^gsls: none of the game servers could be listed at http:.*: a valid key is needed/m,
    );
  });

  it('knows private hosts by all their addresses', async () => {
    const asked = [
      '127.0.0.1',
      '::1',
      'localhost',
      '10.1.2.3',
      '192.168.0.9',
      '172.31.0.1',
      'fe80::1',
      'fd00::1',
    ];
    for (const host of asked) expect(await isPrivateHost(host), host).to.equal(true);
    for (const host of ['8.8.8.8', '172.32.0.1', '100.64.0.1', '2001:db8::1', '0.0.0.0', '::ffff:8.8.8.8'])
      expect(await isPrivateHost(host), host).to.equal(false);
    expect(await isPrivateHost('::ffff:10.0.0.1')).to.equal(true);
    const unknown = await isPrivateHost('no-such-host.invalid').catch((error: unknown) => error);
    expect(String(unknown)).to.match(/the name no-such-host\.invalid is not known \(E/);
  });
});

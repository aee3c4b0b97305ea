/** The keys of a running process change with their files, by themselves and after SIGHUP, without a restart. */

import { expect } from 'chai';
import { renameSync, writeFileSync } from 'node:fs';
import { ask } from '../../../support/ask.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { startCli, startListeningCli } from '../../../support/start-cli.ts';
import { useDirectory } from '../../../support/use-directory.ts';

needs('POSIX').describe('the key files of a process', function () {
  this.timeout(120_000);
  const newPath = useDirectory();

  it('count anew after a file was replaced, and at once after SIGHUP; a broken file changes nothing', async () => {
    const [keyFile, adminKeyFile] = [newPath(), newPath()];
    writeFileSync(keyFile, 'old\n');
    writeFileSync(adminKeyFile, 'boss\n');
    const args = ['--key-file', keyFile, '--admin-key-file', adminKeyFile];
    const cli = await startListeningCli(args, { GSLS_KEY: 'given' });
    const accepted = async (...keys: string[]): Promise<string[]> => {
      const statuses = await Promise.all(
        keys.map(async (key) => (await ask(cli, 'GET /', { headers: { Authorization: key } })).status),
      );
      return keys.filter((_, i) => statuses[i] === 200);
    };
    try {
      writeFileSync(`${keyFile}.new`, 'new\n');
      renameSync(`${keyFile}.new`, keyFile);
      await cli.logged('the configuration has changed, and is in effect');
      expect(await accepted('given', 'old', 'new', 'boss')).to.deep.equal(['given', 'new']);

      writeFileSync(keyFile, '');
      cli.kill('SIGHUP');
      const { level, reason } = await cli.logged('the configuration cannot be used');
      expect(level).to.equal(50);
      expect(reason).to.include('holds no key');
      expect(await accepted('given', 'old', 'new')).to.deep.equal(['given', 'new']);
      cli.kill('SIGINT');
      expect(await cli.exited).to.include({ code: 0, stderr: '' });
    } finally {
      await cli.stop();
    }
  });
});

needs('POSIX', 'script').describe('SIGHUP', function () {
  this.timeout(120_000);

  it('ends a process whose terminal was closed', async () => {
    const args = ['--port', '0', '--host', '127.0.0.1', '--log-format', 'json'];
    const cli = startCli(args, {}, { onTerminal: true });
    const { url } = await cli.logged('listening on');
    const answers = (): Promise<boolean> =>
      ask({ url: url! }, 'GET /health').then(
        () => true,
        () => false,
      );
    expect(await answers()).to.equal(true);
    cli.kill('SIGKILL');
    await until(async () => !(await answers()));
  });
});

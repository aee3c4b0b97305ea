/** The keys of a running process change with their files, without a restart. */

import { expect } from 'chai';
import { renameSync, writeFileSync } from 'node:fs';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { startCli, startListeningCli, type ListeningCli } from '../../support/start-cli.ts';
import { useDirectory } from '../../support/use-directory.ts';

describe('the key files of a process', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  let keyFile: string;
  let adminKeyFile: string;
  let cli: ListeningCli;
  beforeEach(async () => {
    [keyFile, adminKeyFile] = [newPath(), newPath()];
    writeFileSync(keyFile, 'old\n');
    writeFileSync(adminKeyFile, 'boss\n');
    cli = await startListeningCli(['--key-file', keyFile, '--admin-key-file', adminKeyFile], {
      GSLS_KEY: 'given',
    });
  });
  afterEach(() => cli.stop());

  const accepted = async (...keys: string[]): Promise<string[]> => {
    const statuses = await Promise.all(
      keys.map(async (key) => (await ask(cli, 'GET /', { headers: { Authorization: key } })).status),
    );
    return keys.filter((_, i) => statuses[i] === 200);
  };

  it('count anew after a file was replaced, by themselves, beside the keys of flags and variables', async () => {
    writeFileSync(`${keyFile}.new`, 'new\n');
    renameSync(`${keyFile}.new`, keyFile);
    await cli.logged('the key file has changed');
    expect(await accepted('given', 'old', 'new', 'boss')).to.deep.equal(['given', 'new']);
    expect(cli.log.find(({ msg }) => msg.startsWith('the key file has changed'))).to.include({
      level: 30,
      path: keyFile,
      count: 2,
    });
  });

  it('are those of server tokens too: a token of an older secret stays good, and new ones have the new one', async () => {
    const path = newPath();
    writeFileSync(path, 'the secret of yesterday\n');
    const service = await startListeningCli(['--token-secret-file', path]);
    const broadcast = async (): Promise<[string, string]> => {
      const headers = { 'Server-Token': 'claim' };
      const answer = await ask(service, 'POST /broadcast', { body: aBroadcast(), headers });
      return [answer.body.server_id!, String(answer.headers['server-token'])];
    };
    const statusOf = async ([id, token]: [string, string]): Promise<number> => {
      const body = aBroadcast({ server_id: id });
      return (await ask(service, 'POST /ping', { body, headers: { 'Server-Token': token } })).status;
    };
    const before = await broadcast();
    writeFileSync(path, 'the secret of today, and\nthe secret of yesterday\n');
    await service.logged('the token secret file has changed');
    const after = await broadcast();
    expect([await statusOf(before), await statusOf(after)]).to.deep.equal([200, 200]);
    writeFileSync(path, 'the secret of today, and\n');
    await until(async () => (await statusOf(before)) === 403);
    expect(await statusOf(after)).to.equal(200);
    await service.stop();
  });

  needs('POSIX').it('count anew at once after SIGHUP, and a broken file changes nothing', async () => {
    writeFileSync(keyFile, 'new\n');
    cli.kill('SIGHUP');
    await cli.logged('the key file has changed');
    await cli.logged('the admin key file was read again: nothing has changed');
    expect(await accepted('given', 'old', 'new')).to.deep.equal(['given', 'new']);

    writeFileSync(keyFile, '');
    cli.kill('SIGHUP');
    const { level, reason } = await cli.logged('the key file cannot be used');
    expect(level).to.equal(50);
    expect(reason).to.include('holds no key');
    expect(await accepted('given', 'old', 'new')).to.deep.equal(['given', 'new']);
    cli.kill('SIGINT');
    expect(await cli.exited).to.include({ code: 0, stderr: '' });
  });

  needs('POSIX').it('refuse a key in both files until one of them gives it up', async () => {
    writeFileSync(keyFile, 'old\nboss\n');
    cli.kill('SIGHUP');
    const { reason } = await cli.logged('the key file cannot be used');
    expect(reason).to.include('every game server could moderate').and.to.not.include('boss');
    expect(await accepted('old', 'boss')).to.deep.equal(['old']);

    writeFileSync(adminKeyFile, 'chief\n');
    await cli.logged('the admin key file has changed');
    await until(async () => (await accepted('boss')).length === 1);
    expect(await accepted('old', 'boss', 'chief')).to.deep.equal(['old', 'boss']);
  });
});

needs('POSIX').describe('SIGHUP', function () {
  this.timeout(120_000);

  it('does not end a process without key files, and the log says that there is nothing to read', async () => {
    const cli = await startListeningCli();
    try {
      cli.kill('SIGHUP');
      await cli.logged('there is no key file that could be read again');
      expect((await ask(cli, 'GET /')).status).to.equal(200);
    } finally {
      await cli.stop();
    }
  });

  needs('script').it('ends a process whose terminal was closed', async () => {
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

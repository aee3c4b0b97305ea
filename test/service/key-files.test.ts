/** The files of keys while a service runs: which keys count after each change of them. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { LogRecord } from '../support/log-record.ts';
import { startTestService } from '../support/start-test-service.ts';
import type { Service } from '../../src/service/service.ts';
import { useDirectory } from '../support/use-directory.ts';

describe('the key files of a service', () => {
  const newPath = useDirectory();
  let keyFile: string;
  let adminKeyFile: string;
  let log: LogRecord;
  let keyed: Service;

  beforeEach(async () => {
    [keyFile, adminKeyFile] = [newPath(), newPath()];
    writeFileSync(keyFile, 'old\n');
    writeFileSync(adminKeyFile, 'boss\n');
    log = new LogRecord();
    keyed = await startTestService(
      { GSLS_KEY: 'given', GSLS_KEY_FILE: keyFile, GSLS_ADMIN_KEY_FILE: adminKeyFile },
      log.logger,
    );
  });
  afterEach(() => keyed.close());

  async function accepted(path: string, ...keys: string[]): Promise<string[]> {
    const answers = await Promise.all(
      keys.map((key) => ask(keyed, `GET ${path}`, { headers: { Authorization: `Bearer ${key}` } })),
    );
    return keys.filter((_, n) => answers[n]!.status === 200);
  }

  it('count anew when a file has changed, beside the keys of flags and variables', async () => {
    writeFileSync(keyFile, 'newer\n');
    await keyed.reload();
    expect(await accepted('/', 'given', 'old', 'newer', 'boss')).to.deep.equal(['given', 'newer']);
    expect(await log.logged('the configuration has changed')).to.deep.include({ changed: ['keys'] });
    writeFileSync(adminKeyFile, 'chief\n');
    await keyed.reload();
    expect(await accepted('/admin/bans', 'given', 'newer', 'boss', 'chief')).to.deep.equal(['chief']);
  });

  it('refuse a key in both files until one of them gives it up', async () => {
    writeFileSync(keyFile, 'old\nboss\n');
    await keyed.reload();
    const { reason } = await log.logged('the configuration cannot be used');
    expect(reason).to.include('every game server could moderate').and.to.not.include('boss');
    expect(await accepted('/', 'old', 'boss')).to.deep.equal(['old']);

    writeFileSync(adminKeyFile, 'chief\n');
    await keyed.reload();
    expect(await accepted('/', 'old', 'boss', 'chief')).to.deep.equal(['old', 'boss']);
  });

  it('are those of server tokens too: a token of an older secret stays good, and new ones have the new one', async () => {
    const path = newPath();
    writeFileSync(path, 'the secret of yesterday\n');
    const service = await startTestService({ GSLS_TOKEN_SECRET_FILE: path });
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
    await service.reload();
    const after = await broadcast();
    expect([await statusOf(before), await statusOf(after)]).to.deep.equal([200, 200]);
    writeFileSync(path, 'the secret of today, and\n');
    await service.reload();
    expect([await statusOf(before), await statusOf(after)]).to.deep.equal([403, 200]);
    await service.close();
  });

  it('of a service that has none are said to be none when they are to be read again', async () => {
    const service = await startTestService({}, log.logger);
    await service.reload();
    await log.logged('there is no file of keys or options that could be read again');
    await service.close();
  });
});

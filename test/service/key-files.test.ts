/** The files of keys while a service runs: which keys count after each change of them. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { Guard, type Access } from '../../src/api/http/auth.ts';
import { openKeyFiles } from '../../src/service/key-files.ts';
import { LOOK_INTERVAL_MS, type ReloadedFile } from '../../src/service/reloaded-file.ts';
import { configOf } from './config/config-of.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { LogRecord } from '../support/log-record.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startTestService } from '../support/start-test-service.ts';
import { useDirectory } from '../support/use-directory.ts';

/** A change is in effect when a file has looked the same twice. */
const SETTLED_MS = 2 * LOOK_INTERVAL_MS;

describe('the key files of a service', () => {
  const newPath = useDirectory();
  const clock = new ManualClock();
  let keyFile: string;
  let adminKeyFile: string;
  let guard: Guard;
  let log: LogRecord;
  let files: readonly ReloadedFile[];

  beforeEach(() => {
    [keyFile, adminKeyFile] = [newPath(), newPath()];
    writeFileSync(keyFile, 'old\n');
    writeFileSync(adminKeyFile, 'boss\n');
    const config = configOf({
      flags: { key: ['given'], keyFile: [keyFile], adminKeyFile: [adminKeyFile] },
      files: { [keyFile]: 'old\n', [adminKeyFile]: 'boss\n' },
    });
    guard = new Guard(config);
    log = new LogRecord();
    files = openKeyFiles({
      config,
      guard,
      replaceTokenSecrets: () => undefined,
      logger: log.logger,
      clock,
    });
  });
  afterEach(() => files.forEach((file) => file.close()));

  function accepted(access: Access, ...keys: string[]): string[] {
    return keys.filter((key) => {
      try {
        guard.check(access, key);
        return true;
      } catch {
        return false;
      }
    });
  }

  it('count anew when a file has changed, beside the keys of flags and variables', async () => {
    writeFileSync(keyFile, 'newer\n');
    await clock.advance(SETTLED_MS);
    expect(accepted('key', 'given', 'old', 'newer', 'boss')).to.deep.equal(['given', 'newer']);
    expect(log.lines).to.deep.equal([
      { level: 30, msg: 'the key file has changed, and is in effect', path: keyFile, count: 2 },
    ]);
    writeFileSync(adminKeyFile, 'chief\n');
    await clock.advance(SETTLED_MS);
    expect(accepted('admin', 'given', 'newer', 'boss', 'chief')).to.deep.equal(['chief']);
  });

  it('refuse a key in both files until one of them gives it up', async () => {
    writeFileSync(keyFile, 'old\nboss\n');
    await clock.advance(SETTLED_MS);
    const { reason } = await log.logged('the key file cannot be used');
    expect(reason).to.include('every game server could moderate').and.to.not.include('boss');
    expect(accepted('key', 'old', 'boss')).to.deep.equal(['old']);

    writeFileSync(adminKeyFile, 'chief\n');
    await clock.advance(2 * SETTLED_MS);
    expect(accepted('key', 'old', 'boss', 'chief')).to.deep.equal(['old', 'boss']);
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
    await log.logged('there is no key file that could be read again');
    await service.close();
  });
});

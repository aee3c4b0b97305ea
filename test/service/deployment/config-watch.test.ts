/** The files of a configuration that is read again while the service runs, whatever is done to them. */

import { expect } from 'chai';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { readLines } from '../../../src/service/config/option-files.ts';
import { ReadFiles } from '../../../src/service/deployment/read-files.ts';
import { ConfigWatch, LOOK_INTERVAL_MS } from '../../../src/service/deployment/config-watch.ts';
import { UsageError } from '../../../src/runtime/usage-error.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { silentLogger } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** A change is in effect when the file has looked the same twice. */
const SETTLED_MS = 2 * LOOK_INTERVAL_MS;

describe('a file of the configuration', () => {
  const newPath = useDirectory();
  const clock = new ManualClock();
  let path: string;
  let inEffect: readonly string[];
  let logged: string[];
  let file: ConfigWatch<readonly string[]>;

  const open = (values: readonly string[]): void => {
    inEffect = values;
    logged = [];
    const log =
      (level: string) =>
      (fields: object, message: string): void =>
        void logged.push([level, message, (fields as { reason?: string }).reason ?? ''].join('|'));
    const files = new ReadFiles();
    const load = async (): Promise<readonly string[]> =>
      readLines('key file', path, files.read, 'all would be let in');
    void load();
    file = new ConfigWatch({
      files,
      load,
      async apply(keys) {
        const isChanged = keys.join() !== inEffect.join();
        inEffect = keys;
        return { words: isChanged ? ['keys'] : [], atRestart: [] };
      },
      logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      clock,
    });
  };

  beforeEach(() => {
    path = newPath();
    writeFileSync(path, 'old\n');
    // The clock of a file system may be too coarse to tell this write from the next one.
    utimesSync(path, 0, 0);
    open(['old']);
  });
  afterEach(() => file.close());

  const CHANGED = 'info|the configuration has changed, and is in effect|';

  const CHANGES: Readonly<Record<string, () => void>> = {
    'is written in place': () => writeFileSync(path, 'new\n'),
    'is replaced by renaming another': () => {
      writeFileSync(`${path}.new`, 'new\n');
      renameSync(`${path}.new`, path);
    },
    'is deleted and made anew': () => {
      rmSync(path);
      writeFileSync(path, 'new\n');
    },
    'has become a link': () => {
      writeFileSync(`${path}.target`, 'new\n');
      rmSync(path);
      symlinkSync(`${path}.target`, path);
    },
  };
  for (const [how, change] of Object.entries(CHANGES))
    it(`that ${how} is in effect soon, and the log says so once`, async () => {
      await clock.advance(SETTLED_MS);
      change();
      await clock.advance(SETTLED_MS);
      expect(inEffect).to.deep.equal(['new']);
      await clock.advance(10 * SETTLED_MS);
      expect(logged).to.deep.equal([CHANGED]);
    });

  it('that changed between its first reading and the first look is in effect', async () => {
    writeFileSync(path, 'new\n');
    await clock.advance(SETTLED_MS);
    expect(inEffect).to.deep.equal(['new']);
  });

  it('behind links as Kubernetes makes them is in effect when a link in the middle changes', async () => {
    for (const [directory, key] of [
      [`${path}-1`, 'old'],
      [`${path}-2`, 'new'],
    ] as const) {
      mkdirSync(directory);
      // Of equal length and time: only the file itself is another.
      writeFileSync(`${directory}/keys`, key);
      utimesSync(`${directory}/keys`, 0, 0);
    }
    symlinkSync(`${path}-1`, `${path}-data`);
    rmSync(path);
    symlinkSync(`${path}-data/keys`, path);
    await clock.advance(SETTLED_MS);
    symlinkSync(`${path}-2`, `${path}-tmp`);
    renameSync(`${path}-tmp`, `${path}-data`);
    await clock.advance(SETTLED_MS);
    expect([inEffect, logged]).to.deep.equal([['new'], [CHANGED]]);
  });

  it('that is still written is left alone until it is whole', async () => {
    await clock.advance(SETTLED_MS);
    for (const half of ['', 'n', 'ne', 'new', 'new\nne']) {
      writeFileSync(path, half);
      await clock.advance(LOOK_INTERVAL_MS);
      expect(inEffect).to.deep.equal(['old']);
    }
    writeFileSync(path, 'new\nnewer\n');
    await clock.advance(SETTLED_MS);
    expect([inEffect, logged]).to.deep.equal([['new', 'newer'], [CHANGED]]);
  });

  const TROUBLE: Readonly<Record<string, [make: () => void, reason: RegExp]>> = {
    'is missing': [() => rmSync(path), /cannot be read: ENOENT/],
    'is empty': [() => writeFileSync(path, ''), /holds no key/],
    'has only comments': [() => writeFileSync(path, '# new\n'), /holds no key/],
    'is no text': [() => writeFileSync(path, Buffer.from([0xff, 0xfe, 0])), /not text in UTF-8/],
    'has a wrong key': [() => writeFileSync(path, 'new\nhunter\u00012\n'), /a key in .* must not/],
    'is a directory': [
      () => {
        rmSync(path);
        mkdirSync(path);
      },
      /EISDIR|EPERM/,
    ],
    'is a link to itself': [
      () => {
        rmSync(path);
        symlinkSync(path, path);
      },
      /ELOOP/,
    ],
  };
  for (const [what, [make, reason]] of Object.entries(TROUBLE))
    it(`that ${what} changes nothing, which the log says once, and again when it is good`, async () => {
      await clock.advance(SETTLED_MS);
      make();
      await clock.advance(10 * SETTLED_MS);
      expect(inEffect).to.deep.equal(['old']);
      expect(logged).to.have.lengthOf(1);
      expect(logged[0]).to.match(
        /^error\|the configuration cannot be used: what it held before stays in effect\|/,
      );
      expect(logged[0]).to.match(reason).and.to.not.include('hunter');

      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, 'old\n');
      await clock.advance(SETTLED_MS);
      expect(logged.slice(1)).to.deep.equal([
        'info|the configuration can be used again: nothing has changed|',
      ]);
      expect(inEffect).to.deep.equal(['old']);
    });

  it('with another trouble than before says that one too', async () => {
    rmSync(path);
    await clock.advance(SETTLED_MS);
    writeFileSync(path, '');
    await clock.advance(SETTLED_MS);
    expect(logged.map((line) => /ENOENT|no key/.exec(line)?.[0])).to.deep.equal(['ENOENT', 'no key']);
  });

  it('whose trouble lies elsewhere is in effect when that is over', async () => {
    const target = `${path}-elsewhere`;
    rmSync(path);
    symlinkSync(target, path);
    await clock.advance(SETTLED_MS);
    writeFileSync(target, 'new\n');
    await clock.advance(SETTLED_MS);
    expect(inEffect).to.deep.equal(['new']);
    expect(logged.at(-1)).to.equal(CHANGED);
  });

  it('that changed only in mode, time or comments says nothing', async () => {
    await clock.advance(SETTLED_MS);
    chmodSync(path, 0o600);
    await clock.advance(SETTLED_MS);
    writeFileSync(path, '# a comment\nold\n');
    await clock.advance(SETTLED_MS);
    expect(logged).to.deep.equal([]);
  });

  it('is not looked at after it was closed', async () => {
    file.close();
    writeFileSync(path, 'new\n');
    await clock.advance(10 * SETTLED_MS);
    expect([inEffect, logged]).to.deep.equal([['old'], []]);
  });

  it('is read at once when it is reloaded, and the log says what came of it each time', async () => {
    await file.reload();
    writeFileSync(path, 'new\n');
    await file.reload();
    expect(inEffect).to.deep.equal(['new']);
    writeFileSync(path, '');
    await file.reload();
    await file.reload();
    expect(inEffect).to.deep.equal(['new']);
    writeFileSync(path, 'new\n');
    await file.reload();
    await clock.advance(10 * SETTLED_MS);
    expect(logged.map((line) => line.split('|').slice(0, 2).join(': '))).to.deep.equal([
      'info: the configuration was read again: nothing has changed',
      'info: the configuration has changed, and is in effect',
      'error: the configuration cannot be used: what it held before stays in effect',
      'error: the configuration cannot be used: what it held before stays in effect',
      'info: the configuration was read again: nothing has changed',
    ]);
  });

  it('is reloaded once for each call, one after the other', async () => {
    writeFileSync(path, 'new\n');
    await Promise.all([file.reload(), file.reload()]);
    expect(inEffect).to.deep.equal(['new']);
    expect(logged).to.deep.equal([CHANGED, 'info|the configuration was read again: nothing has changed|']);
  });

  it('on a file system that hangs is not looked at again meanwhile', async () => {
    const looks: (() => Promise<void>)[] = [];
    let reads = 0;
    const hanging = new ConfigWatch({
      files: {
        paths: [path],
        async renew() {
          reads += 1;
          return true;
        },
      },
      load: () => Promise.reject(new UsageError('trouble, so that each look reads')),
      apply: async () => ({ words: [], atRestart: [] }),
      logger: silentLogger,
      clock: {
        every(_intervalMs, task) {
          looks.push(task);
          return () => undefined;
        },
      },
    });
    const [look] = looks as [() => Promise<void>];
    for (let n = 0; n < 2; n += 1) await look();
    reads = 0;
    await Promise.all([look(), look(), look()]);
    expect(reads).to.equal(1);
    hanging.close();
  });

  needs('mkfifo').it('that is a pipe is read at the start only, and nothing waits for it', async () => {
    rmSync(path);
    makePipe(path);
    await clock.advance(10 * SETTLED_MS);
    expect(logged).to.deep.equal([]);
    await file.reload();
    expect(inEffect).to.deep.equal(['old']);
    expect(logged).to.deep.equal([
      `warn|${path} is a pipe or a device, which is read at the start only|`,
      'info|the configuration was read again: nothing has changed|',
    ]);
  });

  it('gives no key away in the log', async () => {
    writeFileSync(path, 'hunter2\n');
    await clock.advance(SETTLED_MS);
    expect(inEffect).to.deep.equal(['hunter2']);
    expect(logged.join()).to.not.include('hunter2');
  });
});

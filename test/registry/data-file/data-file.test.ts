/** The registry in memory and in a file: what a restart or a crash at any moment leaves of it. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  link,
  mkdir,
  open,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from '../../../src/registry/registry.ts';
import { aGameServer, bodyOf, broadcastTo, textOf } from '../../support/builders.ts';
import { describeRegistry, lifetime } from '../../support/describe-registry.ts';
import { openKeptRegistry, type KeptRegistryOptions } from '../../support/kept-registry.ts';
import { until } from '../../support/until.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { runs } from '../../support/runs.ts';
import { useDirectory } from '../../support/use-directory.ts';

const { ttlMs, pingIntervalMs, reviveWindowMs } = lifetime;
const RETRY_MS = 5000;

const HEADER = '{"gsls":"registry","format":1}\n';
const listedLine = (id: string, registeredVersion = 1): string =>
  `{"is":"listed","id":"${id}","registeredAt":${registeredVersion},"host":"h","name":"n","port":1,"ip":"203.0.113.7","players":0,"maxPlayers":0}\n`;

async function listOf(registry: Registry): Promise<string> {
  return textOf(await registry.list());
}

async function idsOf(registry: Registry): Promise<readonly string[]> {
  return (await bodyOf(await registry.list())).servers.map(({ id }) => id);
}

describe('a data file', () => {
  const newPath = useDirectory();
  /** What all file handles of this process do: a test can let them fail or wait. */
  let handles: Pick<FileHandle, 'writeFile' | 'sync'>;
  let original: typeof handles;
  before(async () => {
    const handle = await open('/dev/null');
    handles = Object.getPrototypeOf(handle) as typeof handles;
    original = { writeFile: handles.writeFile, sync: handles.sync };
    await handle.close();
  });
  afterEach(() => Object.assign(handles, original));

  const opened: Registry[] = [];
  afterEach(async () => {
    for (const registry of opened.splice(0)) await registry.close();
  });

  async function openAt(path: string, options: KeptRegistryOptions = {}): Promise<Registry> {
    const registry = await openKeptRegistry(path, options);
    opened.push(registry);
    return registry;
  }

  /** What a process would find that starts now, after this one was killed. */
  async function openAfterCrash(path: string, options: KeptRegistryOptions = {}): Promise<Registry> {
    const copy = newPath();
    await copyFile(path, copy);
    return openAt(copy, options);
  }

  describeRegistry('memory and a file', (options) => openKeptRegistry(newPath(), options));

  describe('after a restart', () => {
    it('has everything that was acknowledged, and answers as before', async function () {
      this.timeout(60_000);
      const which = fc.nat({ max: 8 });
      const operation = fc.oneof(
        fc.record({ call: fc.constant('broadcast' as const), port: fc.integer({ min: 1, max: 3 }) }),
        fc.record({
          call: fc.constant('ping' as const),
          which,
          port: fc.integer({ min: 1, max: 3 }),
          players: fc.nat({ max: 2 }),
        }),
        fc.record({ call: fc.constant('remove' as const), which }),
        fc.record({
          call: fc.constant('advance' as const),
          ms: fc.constantFrom(1, pingIntervalMs, ttlMs, reviveWindowMs - ttlMs, reviveWindowMs),
        }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.array(operation, { maxLength: 40 }),
          async (uniqueAddress, steps) => {
            const clock = new ManualClock();
            const path = newPath();
            const registry = await openAt(path, { clock, uniqueAddress });
            const ids: string[] = [];
            for (const step of steps) {
              if (step.call === 'advance') await clock.advance(step.ms);
              else if (step.call === 'broadcast')
                ids.push(await broadcastTo(registry, aGameServer({ port: step.port })));
              else if (step.call === 'remove')
                await registry.remove(ids[step.which] ?? '-', aGameServer().ip);
              else {
                const { port, players } = step;
                await registry.ping(ids[step.which] ?? '-', aGameServer({ port, players }));
              }
            }
            // Nobody acknowledges an expiry, but it is kept before a later change.
            await registry.list();
            ids.push(await broadcastTo(registry, aGameServer()));
            const crashed = await openAfterCrash(path, { clock, uniqueAddress });
            await registry.close();
            const stopped = await openAt(path, { clock, uniqueAddress });
            for (const restarted of [crashed, stopped]) {
              expect(await listOf(restarted)).to.equal(await listOf(registry));
            }
            const next = aGameServer({ port: 2, players: 9 });
            for (const id of ids) {
              const answers = [];
              for (const each of [registry, crashed, stopped]) {
                answers.push([
                  await each.broadcast(id, next),
                  await each.ping(id, aGameServer({ ip: '198.51.100.1' })),
                  await each.ping(id, next),
                ]);
              }
              expect(answers[1]).to.deep.equal(answers[0]);
              expect(answers[2]).to.deep.equal(answers[0]);
            }
            for (const restarted of [crashed, stopped])
              expect(await listOf(restarted)).to.equal(await listOf(registry));
            await Promise.all([crashed.close(), stopped.close()]);
            opened.length = 0;
          },
        ),
        { numRuns: runs(30) },
      );
    });

    it('gives everybody one TTL, however long it was down, and then takes off the silent', async () => {
      const clock = new ManualClock();
      const path = newPath();
      const registry = await openAt(path, { clock });
      const [pinging, silent] = [
        await broadcastTo(registry, aGameServer()),
        await broadcastTo(registry, aGameServer()),
      ];
      const crashed = newPath();
      await copyFile(path, crashed);
      clock.jump(30 * 24 * 3_600_000);
      const restarted = await openAt(crashed, { clock });
      await clock.advance(ttlMs - 1);
      expect(await idsOf(restarted)).to.deep.equal([pinging, silent]);
      expect(await restarted.ping(pinging, aGameServer())).to.equal('refreshed');
      await clock.advance(1);
      expect(await idsOf(restarted)).to.deep.equal([pinging]);
    });

    it('has another epoch, and lists newcomers last though the clock went back', async () => {
      const clock = new ManualClock();
      const path = newPath();
      const registry = await openAt(path, { clock });
      const first = await broadcastTo(registry, aGameServer());
      clock.jump(-3_600_000);
      const restarted = await openAfterCrash(path, { clock });
      const second = await broadcastTo(restarted, aGameServer());
      expect(await idsOf(restarted)).to.deep.equal([first, second]);
      const epochs = [registry, restarted].map(async (each) => (await each.list()).snapshot.epoch);
      expect(await epochs[0]).to.not.equal(await epochs[1]);
    });

    it('finds duplicates of before when addresses are to be unique from now on', async () => {
      const path = newPath();
      const registry = await openAt(path);
      const first = await broadcastTo(registry, aGameServer());
      const second = await broadcastTo(registry, aGameServer());
      const restarted = await openAfterCrash(path, { uniqueAddress: true });
      expect(await idsOf(restarted)).to.deep.equal([first, second]);
      const third = await broadcastTo(restarted, aGameServer());
      expect(await idsOf(restarted)).to.deep.equal([first, third]);
    });

    it('has the last that was said of an id, though it is there twice', async () => {
      const path = newPath();
      await writeFile(path, HEADER + listedLine('a', 1) + listedLine('b', 1) + listedLine('a', 3));
      expect(await idsOf(await openAt(path))).to.deep.equal(['b', 'a']);
    });

    it('goes on after places in the list that lie at the end of all numbers, in the same order', async () => {
      const path = newPath();
      const last = Number.MAX_SAFE_INTEGER;
      const lines = [listedLine('c', 1e300), listedLine('b', last), listedLine('a', last - 1)];
      const expired = `${JSON.stringify({ ...JSON.parse(listedLine('gone', last - 2)), is: 'expired', expiresAt: 1 })}\n`;
      await writeFile(path, HEADER + lines.join('') + expired);
      let renumbered = 0;
      const fileEvents = { onRenumbered: () => (renumbered += 1) };
      const registry = await openAt(path, { fileEvents });
      expect(await idsOf(registry)).to.deep.equal(['a', 'b', 'c']);
      const d = await broadcastTo(registry, aGameServer());
      expect(await idsOf(registry)).to.deep.equal(['a', 'b', 'c', d]);
      await registry.ping('b', aGameServer({ players: 9 }));
      expect(await listOf(registry)).to.include('"players":9');
      const restarted = await openAfterCrash(path, { fileEvents });
      expect(await listOf(restarted)).to.equal(await listOf(registry));
      expect(renumbered).to.equal(1);
    });

    it('revives those who expired at a time that is still to come for as long as any others', async () => {
      const clock = new ManualClock();
      const path = newPath();
      const expired = { ...JSON.parse(listedLine('an-id')), is: 'expired', expiresAt: 1e300 };
      await writeFile(path, `${HEADER}${JSON.stringify(expired)}\n`);
      const registry = await openAt(path, { clock });
      await clock.advance(reviveWindowMs - 1);
      expect(await registry.ping('an-id', aGameServer({ ip: '198.51.100.1' }))).to.equal('ip_mismatch');
      await clock.advance(1);
      expect(await registry.ping('an-id', aGameServer())).to.equal('unknown');
    });

    it('remembers the last 10,000 who left, and no more', async function () {
      this.timeout(20_000);
      const path = newPath();
      const registry = await openAt(path);
      const ids = await Promise.all(
        Array.from({ length: 10_001 }, () => broadcastTo(registry, aGameServer())),
      );
      await Promise.all(ids.map((id) => registry.remove(id, aGameServer().ip)));
      await registry.close();
      expect(linesOf(path)).to.have.lengthOf(1 + 10_000);
      const restarted = await openAt(path);
      expect(await restarted.broadcast(ids[0]!, aGameServer())).to.equal('listed');
      expect(await restarted.broadcast(ids[1]!, aGameServer())).to.equal('unlisted');
    });
  });

  describe('of a new registry', () => {
    it('may be missing or empty', async () => {
      const empty = newPath();
      await writeFile(empty, '');
      for (const path of [newPath(), empty]) {
        const registry = await openAt(path);
        expect(await listOf(registry)).to.equal('{"servers":[],"count":0}');
        const id = await broadcastTo(registry, aGameServer());
        expect(await idsOf(await openAfterCrash(path))).to.deep.equal([id]);
      }
    });

    it('is where a link leads to', async () => {
      const [path, linkPath] = [newPath(), newPath()];
      await writeFile(path, HEADER);
      await symlink(path, linkPath);
      const registry = await openAt(linkPath);
      await broadcastTo(registry, aGameServer());
      await registry.close();
      expect(linesOf(path)).to.have.lengthOf(2);
    });

    it('is written by its owner although it was to be read only', async () => {
      const path = newPath();
      await writeFile(path, HEADER, { mode: 0o444 });
      await broadcastTo(await openAt(path), aGameServer());
      expect(statSync(path).mode & 0o777).to.equal(0o644);
      expect(linesOf(path)).to.have.lengthOf(2);
    });

    it('grants to others what the old one granted', async () => {
      const path = newPath();
      await writeFile(path, HEADER, { mode: 0o600 });
      await openAt(path);
      expect(statSync(path).mode & 0o777).to.equal(0o600);
    });
  });

  describe('is written', () => {
    it('before the answer, and not by a ping that changes nothing', async () => {
      const path = newPath();
      const registry = await openAt(path);
      const id = await broadcastTo(registry, aGameServer());
      expect(linesOf(path)).to.have.lengthOf(2);
      await registry.ping(id, aGameServer());
      expect(linesOf(path)).to.have.lengthOf(2);
      await registry.ping(id, aGameServer({ players: 9 }));
      expect(linesOf(path)).to.have.lengthOf(3);
      await registry.remove(id, aGameServer().ip);
      expect(linesOf(path)).to.have.lengthOf(4);
    });

    it('before the answer to a broadcast that repeats one on its way', async () => {
      const path = newPath();
      const registry = await openAt(path);
      const first = registry.broadcast('one-id', aGameServer());
      expect(await registry.broadcast('one-id', aGameServer())).to.equal('listed');
      expect(linesOf(path)).to.have.lengthOf(2);
      await first;
    });

    it('anew when it has grown, while changes go on', async function () {
      this.timeout(20_000);
      const path = newPath();
      const registry = await openAt(path);
      const ids = await Promise.all(Array.from({ length: 100 }, () => broadcastTo(registry, aGameServer())));
      let bytes = 0;
      let players = 0;
      while (statSync(path).size >= bytes) {
        bytes = statSync(path).size;
        expect(bytes).to.be.below(8_000_000);
        players += 1;
        await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));
      }
      expect(bytes).to.be.above(1_000_000);
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    });

    it('anew with the changes that come meanwhile, which an end in the middle does not lose either', async () => {
      const path = newPath();
      const registry = await openAt(path);
      const ids = await Promise.all(
        Array.from({ length: 50 }, () => broadcastTo(registry, aGameServer({ name: 'x'.repeat(128) }))),
      );
      const disk = new EventEmitter();
      const syncs = once(disk, 'syncs');
      const isAsked = new Promise<void>((resolve) => {
        handles.sync = async () => {
          handles.sync = original.sync;
          resolve();
          await syncs;
        };
      });
      const grown = isAsked.then(() => true);
      for (let players = 0; !(await Promise.race([grown, nextTurn().then(() => false)])); players += 1)
        await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));

      await registry.remove(ids[0]!, aGameServer().ip);
      await registry.ping(ids[1]!, aGameServer({ name: 'renamed meanwhile' }));
      const late = await broadcastTo(registry, aGameServer());
      const list = await listOf(registry);
      expect(statSync(path).size).to.be.above(1_000_000);
      expect(await listOf(await openAfterCrash(path))).to.equal(list);

      disk.emit('syncs');
      await until(() => statSync(path).size < 1_000_000);
      await registry.ping(late, aGameServer({ players: 9 }));
      const restarted = await openAfterCrash(path);
      expect(await listOf(restarted)).to.equal(await listOf(registry));
      expect(await restarted.ping(ids[0]!, aGameServer())).to.equal('unknown');
    });

    it('anew at an orderly stop, with nothing left beside it', async () => {
      const path = newPath();
      const registry = await openAt(path);
      const id = await broadcastTo(registry, aGameServer());
      await registry.ping(id, aGameServer({ players: 9 }));
      await registry.close();
      expect(linesOf(path)).to.have.lengthOf(2);
      expect(besides(path)).to.deep.equal([]);
    });
  });

  describe('cut off by a crash', () => {
    it('at any byte of a change holds every change before it', async function () {
      this.timeout(60_000);
      const path = newPath();
      const registry = await openAt(path);
      const lists: string[] = [];
      const sizes: number[] = [];
      const acknowledged = async (): Promise<void> => {
        sizes.push(statSync(path).size);
        lists.push(await listOf(registry));
      };
      await acknowledged();
      const kept = await broadcastTo(registry, aGameServer({ name: '\u{1F3AE} \u4e2d' }));
      await acknowledged();
      await registry.ping(kept, aGameServer({ name: '\u{1F3AE} \u4e2d', players: 9 }));
      await acknowledged();
      await registry.remove(kept, aGameServer().ip);
      await acknowledged();
      const expectWholeAfterCut = async (size: number): Promise<void> => {
        const copy = newPath();
        await copyFile(path, copy);
        await truncate(copy, size);
        let torn = 0;
        const restarted = await openKeptRegistry(copy, { fileEvents: { onTornLine: () => (torn += 1) } });
        const whole = sizes.findLastIndex((each) => each <= size);
        expect(await listOf(restarted)).to.equal(lists[whole]);
        expect(torn).to.equal(size === sizes[whole] ? 0 : 1);
        const id = await broadcastTo(restarted, aGameServer());
        await restarted.close();
        const again = await openAt(copy, { fileEvents: { onTornLine: () => expect.fail('still torn') } });
        expect((await idsOf(again)).at(-1)).to.equal(id);
      };
      // At each byte in a long run; else at every seventh, and around the end of each line.
      const stride = Math.ceil(7 / runs(1));
      for (let size = sizes[0]!; size <= sizes.at(-1)!; size += 1)
        if (size % stride === 0 || sizes.some((each) => Math.abs(each - size) <= 1))
          await expectWholeAfterCut(size);
    });

    it('in the middle of being replaced holds everything, the old one as well as the new one', async () => {
      const path = newPath();
      const registry = await openAt(path);
      await broadcastTo(registry, aGameServer());
      await writeFile(`${path}.new`, 'half of a li');
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
      await registry.close();
      expect(await listOf(await openAt(path))).to.equal(await listOf(registry));
    });
  });

  describe('is refused, and left as it is,', () => {
    const line = listedLine('an-id');
    const REFUSED: readonly (readonly [what: string, content: string | Buffer, complaint: RegExp])[] = [
      ['of another program', 'a text\nof two lines\n', /it is no data file of GSLS$/],
      ['of another program, in JSON', '{"name":"x","format":1}\n', /it is no data file of GSLS$/],
      ['that is JSON but no object', 'null\n', /it is no data file of GSLS$/],
      ['in one line without an end', 'some notes', /it is no data file of GSLS$/],
      ['in one very long line', Buffer.alloc(300_000, 'x'), /it is no data file of GSLS$/],
      ['that is binary', Buffer.from([0, 255, 10, 254, 10]), /it is no data file of GSLS$/],
      ['that begins with a cut-off header', HEADER.slice(0, -1).slice(0, 9), /it is no data file of GSLS$/],
      [
        'of a newer version',
        '{"gsls":"registry","format":2}\n',
        /it has format 2, and this version of GSLS knows only 1$/,
      ],
      ['with a damaged header', '{"gsls":"registry"}\n', /line 1 of it is damaged$/],
      ['with a line that is no JSON', `${HEADER}${line}{"is":"li\n${line}`, /line 3 of it is damaged$/],
      ['with an empty line', `${HEADER}\n${line}`, /line 2 of it is damaged$/],
      ['with a very long line', `${HEADER}${line}${' '.repeat(300_000)}`, /line 3 of it is damaged$/],
      [
        'with text that is not UTF-8',
        Buffer.concat([Buffer.from(HEADER), Buffer.from(line.replace('"n"', '"\u00e9"'), 'latin1')]),
        /line 2 of it is damaged$/,
      ],
      ...[
        ['an unknown change', line.replace('"listed"', '"moved"')],
        ['an inherited name as change', line.replace('"listed"', '"constructor"')],
        ['a missing field', line.replace('"host":"h",', '')],
        ['a port out of range', line.replace('"port":1', '"port":65536')],
        ['a port in quotes', line.replace('"port":1', '"port":"1"')],
        ['an empty name', line.replace('"name":"n"', '"name":""')],
        ['no IP', line.replace('203.0.113.7', 'home')],
        ['an IP in another form than ours', line.replace('203.0.113.7', '::ffff:203.0.113.7')],
        ['an order that is no number', line.replace('"registeredAt":1', '"registeredAt":null')],
        ['no deadline of an expired one', line.replace('"listed"', '"expired"')],
        ['an empty id', '{"is":"left","id":""}\n'],
        ['a list', '[]\n'],
        ['null', 'null\n'],
      ].map(([what, wrong]) => [`with ${what}`, `${HEADER}${wrong}`, /line 2 of it is damaged$/] as const),
    ];

    for (const [what, content, complaint] of REFUSED)
      it(`one ${what}`, async () => {
        const path = newPath();
        await writeFile(path, content);
        expect(await complaintAbout(path)).to.match(complaint);
        expect(readFileSync(path).equals(Buffer.from(content))).to.equal(true);
        expect(besides(path)).to.deep.equal([]);
      });

    it('one with a second name, which would go on as it was', async () => {
      const [path, other] = [newPath(), newPath()];
      await writeFile(path, HEADER + line);
      await link(path, other);
      expect(await complaintAbout(path)).to.match(
        /it has 2 names \(hard links\): delete the others, or make copies of it$/,
      );
      expect(readFileSync(other, 'utf8')).to.equal(HEADER + line);
      await rm(other);
      await openAt(path);
    });

    it('one that is a directory', async () => {
      const path = newPath();
      await mkdir(path);
      expect(await complaintAbout(path)).to.match(/it is a directory$/);
      expect(besides(path)).to.deep.equal([]);
    });

    it('one in a directory that does not exist', async () => {
      const path = `${newPath()}/file`;
      expect(await complaintAbout(path)).to.match(/ENOENT: no such file or directory/);
      expect(existsSync(dirname(path))).to.equal(false);
    });

    it('one that could be read but not replaced', async () => {
      const path = newPath();
      await writeFile(path, HEADER + line);
      await mkdir(`${path}.new/full`, { recursive: true });
      expect(await complaintAbout(path)).to.match(/EISDIR/);
      expect(readFileSync(path, 'utf8')).to.equal(HEADER + line);
    });
  });

  describe('beside which something has the name of the new one', () => {
    for (const [what, make] of Object.entries({
      'a link': symlink,
      'another name of a file': link,
    }))
      it(`does not write to ${what}`, async () => {
        const [path, notes] = [newPath(), newPath()];
        await writeFile(notes, 'my notes');
        await make(notes, `${path}.new`);
        const registry = await openAt(path);
        await broadcastTo(registry, aGameServer());
        expect(readFileSync(notes, 'utf8')).to.equal('my notes');
        expect(lstatSync(path).isFile()).to.equal(true);
        expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
      });

    needs('mkfifo').it('does not wait for a reader of a pipe', async () => {
      const path = newPath();
      execFileSync('mkfifo', [`${path}.new`]);
      await broadcastTo(await openAt(path), aGameServer());
      expect(linesOf(path)).to.have.lengthOf(2);
    });
  });

  describe('that others lay hands on', () => {
    let told: unknown[];
    const fileEvents = {
      onDisturbed: (...what: unknown[]) => told.push(...what),
      onUnwritable: (reason: unknown) => told.push((reason as Error).message),
      onWritable: () => told.push('written'),
    };
    let clock: ManualClock;
    let path: string;
    let registry: Registry;
    beforeEach(async () => {
      told = [];
      clock = new ManualClock();
      path = `${newPath()}/file`;
      await mkdir(dirname(path));
      registry = await openAt(path, { clock, fileEvents });
      await broadcastTo(registry, aGameServer());
    });

    /** Everything is in the file, also what comes now. */
    async function expectWhole(): Promise<void> {
      await broadcastTo(registry, aGameServer());
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    }

    /** As who swaps in a file does. */
    async function putInPlace(content: string): Promise<void> {
      const other = newPath();
      await writeFile(other, content);
      await rename(other, path);
    }

    it('is left alone as long as nobody does', async () => {
      const { ino } = statSync(path);
      await clock.advance(3 * RETRY_MS);
      expect(statSync(path).ino).to.equal(ino);
      expect(told).to.deep.equal([]);
    });

    it('is written anew within 5 s when it is deleted', async () => {
      await rm(path);
      await broadcastTo(registry, aGameServer());
      await clock.advance(RETRY_MS);
      expect(told).to.deep.equal(['deleted', undefined]);
      await expectWhole();
    });

    it('is written anew at a stop when it is deleted just before', async () => {
      const list = await listOf(registry);
      await rm(path);
      await registry.close();
      expect(await listOf(await openAt(path))).to.equal(list);
    });

    it('is written anew when another has its name, and that is kept', async () => {
      await putInPlace(HEADER + listedLine('other'));
      await clock.advance(RETRY_MS);
      expect(told).to.deep.equal(['replaced', `${path}.aside`]);
      expect(readFileSync(`${path}.aside`, 'utf8')).to.equal(HEADER + listedLine('other'));
      await expectWhole();
    });

    it('does not replace another that has its name at a stop without keeping it', async () => {
      await putInPlace('my notes');
      await registry.ping((await idsOf(registry))[0]!, aGameServer({ players: 9 }));
      await registry.close();
      expect(readFileSync(`${path}.aside`, 'utf8')).to.equal('my notes');
      expect(linesOf(path)).to.have.lengthOf(2);
    });

    it('is kept in memory alone when one is kept already, until that is moved away', async () => {
      await putInPlace('my notes');
      await clock.advance(RETRY_MS);
      await putInPlace('my other notes');
      told = [];
      await clock.advance(3 * RETRY_MS);
      expect(told).to.deep.equal([
        `another file is in its place that cannot be kept as ${path}.aside, which is there already: move both away`,
      ]);
      expect(readFileSync(path, 'utf8')).to.equal('my other notes');
      expect(readFileSync(`${path}.aside`, 'utf8')).to.equal('my notes');
      await rm(`${path}.aside`);
      await clock.advance(RETRY_MS);
      expect(told.slice(1)).to.deep.equal(['replaced', `${path}.aside`, 'written']);
      expect(readFileSync(`${path}.aside`, 'utf8')).to.equal('my other notes');
      await expectWhole();
    });

    it('is kept in memory alone while a directory has its name', async () => {
      await rm(path);
      await mkdir(path);
      await clock.advance(RETRY_MS);
      expect(told.join()).to.match(
        /^a directory is in its place that cannot be kept as \S+ \(E\w+\): move it away$/,
      );
      await rm(path, { recursive: true });
      await clock.advance(RETRY_MS);
      expect(told.slice(1)).to.deep.equal(['deleted', undefined, 'written']);
      await expectWhole();
    });

    for (const [what, change] of Object.entries({
      'is cut off': () => truncate(path, 40),
      'is written to': () => appendFile(path, 'a line'),
      'gets other content': () => writeFile(path, HEADER),
    }))
      it(`is written anew when it ${what}, and that is kept`, async () => {
        await change();
        const found = readFileSync(path, 'utf8');
        await clock.advance(RETRY_MS);
        expect(told).to.deep.equal(['changed', `${path}.aside`]);
        expect(readFileSync(`${path}.aside`, 'utf8')).to.equal(found);
        await expectWhole();
      });

    it('is written anew when it is emptied', async () => {
      await truncate(path);
      await clock.advance(RETRY_MS);
      expect(told).to.deep.equal(['changed', undefined]);
      await expectWhole();
    });

    it('is written anew when its directory is there again, with its lock', async () => {
      await rm(dirname(path), { recursive: true });
      await clock.advance(RETRY_MS);
      expect(told.join()).to.match(/^ENOENT: [^,]*, open '\S+'$/);
      await broadcastTo(registry, aGameServer());
      await mkdir(dirname(path));
      await clock.advance(RETRY_MS);
      expect(told.slice(1)).to.deep.equal(['deleted', undefined, 'written']);
      expect(besides(path)).to.deep.equal([`file.${process.pid}.lock`]);
      await expectWhole();
    });

    it('is not written when its directory is made again for another process', async () => {
      await registry.close();
      let isRunning = false;
      const processes = { ownPid: 1001, isRunning: () => isRunning };
      registry = await openAt(path, { clock, fileEvents, processes });
      await rm(dirname(path), { recursive: true });
      await mkdir(dirname(path));
      await writeFile(`${path}.1002.lock`, '');
      isRunning = true;
      await clock.advance(RETRY_MS);
      expect(told.join()).to.match(/^process 1002 uses it; /);
      expect(existsSync(path)).to.equal(false);
      isRunning = false;
      await clock.advance(RETRY_MS);
      expect(told.slice(1)).to.deep.equal(['deleted', undefined, 'written']);
      await expectWhole();
    });

    it('is fought for by two processes that do not see each other only until one has kept that of the other', async () => {
      const second = await openAt(path, { clock, fileEvents });
      const [ids, others] = [await idsOf(registry), await idsOf(second)];
      expect(others).to.deep.equal(ids);
      await broadcastTo(second, aGameServer());
      await clock.advance(3 * RETRY_MS);
      expect(told.slice(0, 2)).to.deep.equal(['replaced', `${path}.aside`]);
      expect(told.slice(2))
        .to.have.lengthOf(1)
        .and.match(/which is there already: move both away/);
      await expectWhole();
    });
  });

  describe('that cannot be written', () => {
    let told: string[];
    const fileEvents = {
      onUnwritable: (reason: unknown) => told.push((reason as Error).message),
      onWritable: () => told.push('written'),
    };
    beforeEach(() => {
      told = [];
    });
    it('is told of once, answers go on, and it is whole again by itself', async () => {
      const clock = new ManualClock();
      const path = newPath();
      const registry = await openAt(path, { clock, fileEvents });
      await broadcastTo(registry, aGameServer());
      handles.writeFile = diskIsFull;
      const id = await broadcastTo(registry, aGameServer());
      expect(await registry.ping(id, aGameServer({ players: 9 }))).to.equal('refreshed');
      await clock.advance(3 * RETRY_MS);
      expect(await listOf(registry))
        .to.include('"count":2')
        .and.to.include('"players":9');
      expect(told).to.deep.equal(['ENOSPC: no space left on device, write']);
      expect(besides(path)).to.not.include(`${basename(path)}.new`);

      handles.writeFile = original.writeFile;
      await clock.advance(RETRY_MS);
      expect(told).to.deep.equal(['ENOSPC: no space left on device, write', 'written']);
      await broadcastTo(registry, aGameServer());
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    });

    it('at the start because the disk is full is read all the same', async () => {
      const clock = new ManualClock();
      const path = newPath();
      await writeFile(path, HEADER + listedLine('an-id'));
      handles.writeFile = diskIsFull;
      const registry = await openAt(path, { clock, fileEvents });
      expect(await idsOf(registry)).to.deep.equal(['an-id']);
      expect(await registry.ping('an-id', aGameServer({ players: 9 }))).to.equal('refreshed');
      expect(readFileSync(path, 'utf8')).to.equal(HEADER + listedLine('an-id'));
      expect(told).to.deep.equal(['ENOSPC: no space left on device, write']);
      handles.writeFile = original.writeFile;
      await clock.advance(RETRY_MS);
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    });

    it('is whole again after a stop, if it can be written then', async () => {
      const path = newPath();
      const registry = await openAt(path, { fileEvents });
      handles.writeFile = diskIsFull;
      await broadcastTo(registry, aGameServer());
      handles.writeFile = original.writeFile;
      await registry.close();
      expect(await listOf(await openAt(path))).to.equal(await listOf(registry));
    });

    it('keeps nobody waiting when it does not answer, and loses nothing when it does again', async () => {
      const path = newPath();
      const registry = await openAt(path, { fileEvents });
      const disk = new EventEmitter();
      const answers = once(disk, 'answers');
      handles.writeFile = async function (this: FileHandle, ...args) {
        await answers;
        await original.writeFile.apply(this, args);
      };
      await Promise.all([broadcastTo(registry, aGameServer()), broadcastTo(registry, aGameServer())]);
      await broadcastTo(registry, aGameServer());
      expect(linesOf(path)).to.have.lengthOf(1);
      expect(told).to.deep.equal(['a write takes longer than 500 ms']);
      const answer = broadcastTo(registry, aGameServer()).then(() => 'at once');
      expect(await Promise.race([answer, nextTurn().then(() => 'later')])).to.equal('at once');

      disk.emit('answers');
      await until(() => told.length === 2);
      await broadcastTo(registry, aGameServer());
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
      expect(told.slice(1)).to.deep.equal(['written']);
    });

    it('anew still takes every change, and is tried again later', async function () {
      this.timeout(20_000);
      const clock = new ManualClock();
      const path = newPath();
      const registry = await openAt(path, { clock, fileEvents });
      await mkdir(`${path}.new`);
      const ids = await Promise.all(Array.from({ length: 100 }, () => broadcastTo(registry, aGameServer())));
      for (let players = 0; told.length === 0; players += 1)
        await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));
      await broadcastTo(registry, aGameServer());
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
      await rm(`${path}.new`, { recursive: true, force: true });
      await clock.advance(RETRY_MS);
      expect(told.map((each) => each.split(':')[0])).to.deep.equal(['Path is a directory', 'written']);
      expect(linesOf(path)).to.have.lengthOf(1 + 101);
    });
  });
});

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

/** Instead of a write of a file handle. */
function diskIsFull(): Promise<never> {
  const message = 'ENOSPC: no space left on device, write';
  return Promise.reject(Object.assign(new Error(message), { code: 'ENOSPC' }));
}

/** What lies beside the file and has its name in its own. */
function besides(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`));
}

/** What is said of a file that cannot be used: one line with its path. */
async function complaintAbout(path: string): Promise<string> {
  const { message } = await openKeptRegistry(path).then(
    () => expect.fail('it was used'),
    (error: Error) => error,
  );
  expect(message).to.match(/^[^\n]+$/);
  const beginning = `the data file ${path} cannot be used: `;
  expect(message.slice(0, beginning.length)).to.equal(beginning);
  return message;
}

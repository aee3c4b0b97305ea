/**
 * A mirror of what the replicas list, which follows them through HAProxy and is struck as they are. Its lists are
 * checked as theirs are: it may know of everything somewhat later, and sooner once all is mended.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { now, type Operation } from '../../support/load/recorder.ts';
import { MIRROR } from './nemesis.ts';
import { Replica } from './replica.ts';
import type { SetupUnderLoad } from './trial.ts';

export interface NemesisMirror {
  readonly replica: Replica;
  /** What was wrong since the last call, in sentences, but for what the checker found in its lists. */
  check(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** A mirror is so late behind its origin, while nothing is broken: 2 s, and another one on a busy machine. */
const LATE_MS = 3000;
/** And so late if the replica that it follows is frozen: it notices after 5 s. */
const UNNOTICED_MS = 5000;
/** Until its list is current after all is mended: HAProxy asks it to wait for up to 3 s. */
const LONGEST_RETURN_MS = 5000;
const LIST_INTERVAL_MS = 250;
/** A mirror that is frozen answers once it goes on. */
const LONGEST_ANSWER_MS = 10_000;

export async function startNemesisMirror({
  setup: { front },
  recorder,
  checker,
}: SetupUnderLoad): Promise<NemesisMirror> {
  const folder = await mkdtemp(join(tmpdir(), 'gsls-mirror-'));
  const replica = new Replica('127.0.0.1', await freePort(), {
    GSLS_LOG_FORMAT: 'json',
    GSLS_MIRRORS: `origin=http://${front.host}:${front.port}`,
    GSLS_MIRROR_KEEP: join(folder, 'list'),
  });
  await replica.start();
  const stopping = new AbortController();
  const found: string[] = [];

  /** Undefined if the mirror was struck meanwhile. */
  async function list(lateMs: number): Promise<Operation | undefined> {
    const { pid, isServing } = replica;
    if (!isServing) return undefined;
    const operation = await recorder.operation('list', MIRROR, () =>
      ask(replica, 'GET /', { giveUpAfterMs: LONGEST_ANSWER_MS }),
    );
    if (!replica.isServing || replica.pid !== pid) return undefined;
    if (operation.outcome !== '200') found.push(`the mirror gave no list: ${operation.outcome}`);
    checker.check({ ...operation, sentAt: operation.sentAt - lateMs });
    return operation;
  }

  const listing = (async () => {
    while (await delay(LIST_INTERVAL_MS, true, { signal: stopping.signal }).catch(() => false))
      await list(LATE_MS + UNNOTICED_MS);
  })();
  return {
    replica,
    async check() {
      const from = now();
      while ((await list(LATE_MS + UNNOTICED_MS))?.stale !== false)
        if (now() > from + LONGEST_RETURN_MS) {
          found.push(`the list of the mirror is not current after ${LONGEST_RETURN_MS} ms`);
          break;
        } else await delay(LIST_INTERVAL_MS);
      await delay(LATE_MS / 2);
      await list(LATE_MS);
      return [...found.splice(0), ...replica.takeMisbehaviour()];
    },
    async stop() {
      stopping.abort();
      await replica.kill();
      await listing;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

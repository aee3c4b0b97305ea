/**
 * The last release and this version on one Redis, under load and behind HAProxy: every replica is replaced, up and
 * down. No client sees an error, and after each step the lists of both versions agree in every byte and in their ETag.
 */

import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Replica } from '../faults/support/replica.ts';
import { startSetup } from '../faults/support/setup.ts';
import { APPEND_ONLY, startSingleRedis } from '../faults/support/single-redis.ts';
import { auditStore } from '../faults/support/store-audit.ts';
import { itEndures, useSetupUnderLoad, type Window } from '../faults/support/trial.ts';
import { useDirectory } from '../support/use-directory.ts';
import { LOAD, LONGEST_ANSWER_MS, RECOVERS_WITHIN_MS, TTL_SECONDS } from './support/busy-machine.ts';
import { describeWithRelease } from './support/release.ts';

/** Long enough for some requests of each kind to be under way, too short to be noticed. */
const REQUESTS_GATHER_MS = 100;

const WAYS_TO_END: Readonly<Record<string, (replica: Replica) => Promise<unknown>>> = {
  stopped: (replica) => replica.stop(),
  async killed(replica) {
    replica.freeze();
    await delay(REQUESTS_GATHER_MS);
    await replica.kill();
  },
};

/** What the release has by its flags, as one of several registries. */
const CONFIG = 'registries: { main: { path: /, redis-name: "" } }';

describeWithRelease('a rolling upgrade from RELEASE, and back', (release, older) => {
  const newPath = useDirectory();
  const underLoad = useSetupUnderLoad(
    async () =>
      startSetup({ store: await startSingleRedis(APPEND_ONLY), ttlSeconds: TTL_SECONDS, folder: release() }),
    LOAD,
  );

  for (const [ended, end] of Object.entries(WAYS_TO_END)) {
    itReplacesEach(`replicas of ${older} are ${ended} and replaced by this version`, end, () => undefined);
    itReplacesEach(`replicas of this version are ${ended} and replaced by ${older}`, end, release);
  }
  const file = 'a configuration file of one registry';
  const { stopped } = WAYS_TO_END;
  itReplacesEach(
    `replicas of ${older} are stopped and replaced by this version with ${file}`,
    stopped!,
    () => undefined,
    CONFIG,
  );
  itReplacesEach(
    `replicas of this version with ${file} are stopped and replaced by ${older}`,
    stopped!,
    release,
  );

  function itReplacesEach(
    title: string,
    end: (replica: Replica) => Promise<unknown>,
    folder: () => string | undefined,
    config?: string,
  ): void {
    let found: string[];
    itEndures(title, underLoad, {
      store: 'stays',
      async breakAndMend({ setup, load }) {
        found = [];
        const path = newPath();
        if (config !== undefined) writeFileSync(path, config);
        for (const replica of setup.replicas) {
          await end(replica);
          await setup.believed(replica, 'DOWN');
          replica.folder = folder();
          replica.variables = config === undefined ? {} : { GSLS_CONFIG: path };
          await replica.start();
          await setup.believed(replica, 'UP');
          found.push(...(await auditStore(setup, load)));
        }
      },
      recoversWithinMs: RECOVERS_WITHIN_MS,
      longestAnswerMs: LONGEST_ANSWER_MS,
      moreReasons: () => found,
      notes: describeStaleLists,
    });
  }
});

function describeStaleLists({ from, operations }: Window): string[] {
  const count = operations.filter(({ stale, sentAt }) => stale && sentAt > from).length;
  return count === 0 ? [] : [`${count} lists were stale`];
}

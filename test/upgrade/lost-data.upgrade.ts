/**
 * Redis loses its data under replicas of both versions, and under this version alone once the release has left. Both
 * restore what they know, so a mixed fleet loses nothing either. The release has faults of its own, which a mixed fleet
 * keeps: CHANGELOG.md names them.
 */

import { startSetup } from '../faults/support/setup.ts';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { itEndures, useSetupUnderLoad } from '../faults/support/trial.ts';
import { LOAD, LONGEST_ANSWER_MS, RECOVERS_WITHIN_MS, TTL_SECONDS } from './support/busy-machine.ts';
import { describeWithRelease } from './support/release.ts';

describeWithRelease('a loss of data during an upgrade from RELEASE', (release, older) => {
  let redis: SingleRedis;
  const underLoad = useSetupUnderLoad(async () => {
    redis = await startSingleRedis();
    return startSetup({ store: redis, ttlSeconds: TTL_SECONDS, folder: release() });
  }, LOAD);

  itUpgradesAndLoses(`Redis is emptied under two replicas of ${older} and one of this version`, 1, () =>
    redis.client.flushall(),
  );
  itUpgradesAndLoses(`Redis restarts empty under one replica of ${older} and two of this version`, 2, () =>
    redis.server.restart(),
  );
  itUpgradesAndLoses(`Redis is emptied under this version alone, after an upgrade from ${older}`, 3, () =>
    redis.client.flushall(),
  );

  /** First the replicas are replaced until so many are of this version. */
  function itUpgradesAndLoses(title: string, upgraded: number, lose: () => Promise<unknown>): void {
    itEndures(title, underLoad, {
      store: 'loses data',
      recoversWithinMs: RECOVERS_WITHIN_MS,
      longestAnswerMs: LONGEST_ANSWER_MS,
      async breakAndMend({ setup }) {
        for (const replica of setup.replicas.slice(0, upgraded)) {
          if (replica.folder === undefined) continue;
          await replica.stop();
          replica.folder = undefined;
          await replica.start();
          await setup.believed(replica, 'UP');
        }
        await lose();
      },
    });
  }
});

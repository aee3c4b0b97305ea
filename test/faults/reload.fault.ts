/**
 * The configuration file of three replicas changes again and again under load: registries come and go; limits, texts
 * and keys change. Then each replica starts anew. The clients of the registry that stays notice nothing.
 */

import { ask } from '../support/ask.ts';
import { sha256Of } from '../../src/api/http/key-ring.ts';
import { followLists, type ListFollowers } from './support/list-followers.ts';
import { startSetup, type Setup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis } from './support/single-redis.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

interface Change {
  /** Options of the registry that stays. */
  readonly main?: string;
  /** The other registries, and keys. */
  readonly others?: string;
  /** What these requests are answered with from then on. */
  readonly answers?: Readonly<Record<string, number>>;
}

const keyOf = (key: string): string =>
  `keys: [{ name: ${key}, sha256: ${sha256Of(key)}, may: [announce, read], registries: [arena] }]`;

const CHANGES: readonly Change[] = [
  { others: '  racer:', answers: { '/racer/': 200, '/arena/': 404 } },
  {
    others: `  racer:\n  arena:\n${keyOf('first')}`,
    answers: { '/arena/ first': 200, '/arena/ second': 401 },
  },
  {
    others: `  arena:\n${keyOf('second')}`,
    answers: { '/racer/': 404, '/arena/ first': 401, '/arena/ second': 200 },
  },
  { main: 'title: Main, rate-limit: list=100000/m', answers: { '/arena/ second': 404, '/': 200 } },
  {
    main: 'max-servers: 5000',
    others: '  racer: { path: /cars }',
    answers: { '/racer/': 404, '/cars/': 200 },
  },
  {
    main: 'max-servers: 6000, server-history-most: 100',
    others: '  racer:\n  arena:',
    answers: { '/racer/': 200 },
  },
  { answers: { '/racer/': 404, '/': 200 } },
];

describe('the configuration of a deployment', () => {
  let followers: ListFollowers;
  const underLoad = useSetupUnderLoad(async () =>
    startSetup({ store: await startSingleRedis(APPEND_ONLY), ttlSeconds: 3, config: textOf({}) }),
  );
  beforeEach(() => (followers = followLists(underLoad().setup)));
  afterEach(() => followers.stop());

  itEndures('T34: registries come and go, and others change, at three replicas that serve on', underLoad, {
    store: 'stays',
    async breakAndMend({ setup }) {
      for (const change of CHANGES) {
        await setup.configure(textOf(change));
        await expectAll(setup, change);
      }
    },
    moreReasons: () => followers.check(false),
  });

  itEndures('T34: each replica starts anew, with other registries than before', underLoad, {
    store: 'stays',
    async breakAndMend({ setup }) {
      for (const [index, replica] of setup.replicas.entries()) {
        await setup.configure(textOf(CHANGES[index]!));
        await replica.stop();
        await setup.believed(replica, 'DOWN');
        await replica.start();
        await setup.believed(replica, 'UP');
        await expectAll(setup, CHANGES[index]!);
      }
    },
    moreReasons: () => followers.check(false),
  });
});

function textOf({ main, others = '' }: Change): string {
  return `registries:\n  main: { path: /, redis-name: ""${main === undefined ? '' : `, ${main}`} }\n${others}\n`;
}

/** Asks each replica. */
async function expectAll(setup: Setup, { answers = {} }: Change): Promise<void> {
  for (const replica of setup.replicas)
    for (const [what, status] of Object.entries(answers)) {
      const [path, key] = what.split(' ');
      const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
      const answer = await ask(replica, `GET ${path}`, { headers });
      if (answer.status !== status)
        throw new Error(`${what} at ${replica.host}: ${answer.status}, not ${status}`);
    }
}

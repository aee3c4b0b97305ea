/**
 * A moderator who labels game servers, and readers who report them. A label that each replica has shown stays, whatever
 * breaks after it, until it is taken back; reports stay within their bounds and break nothing.
 */

import { ask, type TestAnswer } from '../../support/ask.ts';
import type { Recorder } from '../../support/load/recorder.ts';
import { ADMIN_KEY } from './moderator.ts';
import type { Setup } from './setup.ts';

/** What the replicas need for it. */
export const LABELLED = {
  GSLS_LABELS: 'mark 0,mark 1',
  GSLS_REPORT_REASONS: 'spam',
  GSLS_RATE_LIMIT: 'report=100000/m',
};

const MOST_GIVEN = 3;
const KNOWN_WITHIN_MS = 3000;
const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}` };

type Asked = Pick<Setup['replicas'][number], 'host' | 'port'>;

interface Given {
  readonly rule: string;
  readonly name: string;
  readonly label: string;
}

export interface Labeller {
  /** Looks at each replica, then gives another label and reports its game server. Returns what is wrong. */
  check(): Promise<readonly string[]>;
}

export function startLabeller(setup: Setup, recorder: Recorder): Labeller {
  let given: readonly Given[] = [];
  let turn = 0;

  const everywhere = async (): Promise<string[]> =>
    (await Promise.all(setup.serving.map(lacks))).filter((reason) => reason !== undefined);

  /** What the rules and the rows of a replica lack. */
  const lacks = async (replica: Asked): Promise<string | undefined> => {
    const rules = await tell(replica, 'GET /admin/labels', {});
    for (const { rule, name, label } of given) {
      if (!rules.text.includes(rule)) return `${replica.host} has lost the label of ${name}: ${rules.text}`;
      const rows = await tell(replica, `GET /servers?name=${encodeURIComponent(name)}`, {});
      const { servers = [] } = JSON.parse(rows.text) as {
        servers?: readonly { labels?: readonly string[] }[];
      };
      if (servers.some(({ labels }) => labels?.includes(label) !== true))
        return `${replica.host} shows ${name} without ${label}: ${rows.text}`;
    }
    return undefined;
  };

  return {
    async check() {
      const found = await everywhere();
      const [asked] = setup.serving;
      const victim = [...recorder.listed].find(({ keepsPinging }) => keepsPinging);
      if (asked === undefined || victim === undefined) return found;
      const label = `mark ${(turn += 1) % 2}`;
      const { name, id } = victim;
      const added = await tell(asked, 'POST /admin/labels', { body: { label, name, author: 'a test' } });
      if (added.status !== 201) return [...found, `a label is refused: ${added.status} ${added.text}`];
      given = [...given, { rule: (JSON.parse(added.text) as { rule: string }).rule, name, label }];
      const reported = await tell(asked, 'POST /report', { body: { id, reason: 'spam' } });
      if (![200, 404].includes(reported.status)) found.push(`a report is refused: ${reported.text}`);
      if (given.length > MOST_GIVEN) {
        const [first, ...rest] = given;
        const removed = await tell(asked, `DELETE /admin/labels/${first!.rule}?author=test`, {});
        if (removed.status !== 200)
          found.push(`a label is not taken back: ${removed.status} ${removed.text}`);
        given = rest;
      }
      // Only what each replica knows may outlive whatever happens next.
      const until = performance.now() + KNOWN_WITHIN_MS;
      let unknown: readonly string[];
      do unknown = await everywhere();
      while (unknown.length > 0 && performance.now() < until);
      return [...found, ...unknown.map((reason) => `after ${KNOWN_WITHIN_MS} ms: ${reason}`)];
    },
  };
}

function tell({ host, port }: Asked, what: string, options: { readonly body?: object }): Promise<TestAnswer> {
  return ask({ host, port }, what, { ...options, headers: HEADERS });
}

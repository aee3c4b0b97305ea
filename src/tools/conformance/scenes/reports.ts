/** Reports of game servers to the moderators. */

import type { Act, AnswerScript } from '../scene.ts';
import { ACCEPTED, answersJson, theme, UNKNOWN } from './acts.ts';

const REPORTS_A: Act = { report: 'A', reason: 'cheating' };
const REPORTED: Act = { reported: true };
const posts = (answer: AnswerScript): Act => ({ post: '/report', answer });
const postsTo = (from: string, answer: AnswerScript): Act => ({ post: '/report', from, answer });

/** A report that gets this answer, and fails with these words. */
const fails = (answer: AnswerScript, words = /[a-z]{2}/i): readonly Act[] => [
  REPORTS_A,
  posts(answer),
  { failed: words },
];

export const REPORTS = theme(['report'], {
  'plain-report': {
    needs: ['key'],
    rule: 'A report is one POST below the path of the service, with its key, the id, the reason, and a note if there is one.',
    proves: ['docs/write-a-client.md', 'with `id`, `reason` and, if there is one, `note`'],
    short: true,
    path: '/lists/eu',
    key: 'for-readers+/=',
    acts: [
      REPORTS_A,
      posts(ACCEPTED),
      REPORTED,
      { report: 'B', reason: 'offensive name', note: 'It says "\\" and \u6771\u4eac \u{1f3ae}.' },
      posts({ accept: { body: UNKNOWN } }),
      REPORTED,
    ],
  },
  'refused-reports': {
    rule: 'A report that is not taken fails in printable words, those of the service if it has any, without a second try.',
    proves: ['docs/write-a-client.md', 'It is sent once'],
    timeoutMs: 3000,
    acts: [
      ...fails({ refuse: 'unknown_server' }, /no server is registered/),
      ...fails(
        { refuse: 'invalid_request', says: 'reason: is none of cheating, name' },
        /is none of cheating/,
      ),
      ...fails({ refuse: 'read_only' }, /this is a mirror/),
      ...fails(
        { refuse: 'rate_limited', retryAfter: 7, says: 'slower\u001b[2J please\r\n' },
        /slower.*please/,
      ),
      ...fails({ refuse: 'registry_unavailable', retryAfter: 1 }, /the registry cannot be reached/),
      ...fails({ status: 200 }),
      ...fails({ status: 404 }),
      ...fails({ status: 302, headers: { Location: '/elsewhere' }, body: '' }),
      ...fails(answersJson(200, '{"status":"error"}')),
      ...fails({ half: true }),
      ...fails({ silence: true }),
      { nothing: 300 },
      REPORTS_A,
      posts(ACCEPTED),
      REPORTED,
    ],
  },
  'report-to-one-of-several': {
    needs: ['urls'],
    rule: 'Of several URLs the first that answers gets the report, and its refusal is the result: no other one is asked.',
    proves: ['docs/write-a-client.md', 'ends at an error of the API below 500'],
    paths: ['/one', '/two'],
    acts: [
      REPORTS_A,
      postsTo('/one', { status: 502 }),
      postsTo('/two', ACCEPTED),
      REPORTED,
      REPORTS_A,
      postsTo('/one', { refuse: 'overloaded' }),
      postsTo('/two', { refuse: 'read_only' }),
      { failed: /this is a mirror/ },
      REPORTS_A,
      postsTo('/one', { refuse: 'unknown_server' }),
      { failed: /no server is registered/ },
      { nothing: 300 },
      REPORTS_A,
      postsTo('/one', { refuse: 'overloaded' }),
      postsTo('/two', { reset: 'before' }),
      { failed: /has more to do/ },
      REPORTS_A,
      postsTo('/one', ACCEPTED),
      REPORTED,
    ],
  },
});

/**
 * What a person sees of a lane: how far it is, each failure when it happens, and at the end the errors and what could
 * not be tested on this machine. Where GSLS_TEST_TIMES names a file, each failure leaves a line there too, for the
 * report of several lanes.
 */

import { appendFileSync } from 'node:fs';
import { reporters, Runner } from 'mocha';

const { EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_RUN_END } = Runner.constants;
const TIMES = process.env['GSLS_TEST_TIMES'];
/** Of the line of progress: rewritten on a terminal, a new one elsewhere. */
const PROGRESS_INTERVAL_MS = process.stdout.isTTY ? 100 : 10_000;
/** What needs.ts writes into the title of a suite or a test that needs more than there is. */
const REASON = /\(pending: (.*?)\)/;

export default class LaneReporter extends reporters.Base {
  #toldAt = performance.now();
  /** How many tests are pending, by the reason. */
  #pending = new Map();

  constructor(runner, options) {
    super(runner, options);
    const beganAt = performance.now();
    runner.on(EVENT_TEST_PASS, () => this.#tell(beganAt));
    runner.on(EVENT_TEST_PENDING, (test) => {
      const [, reason = 'left out'] = REASON.exec(test.fullTitle()) ?? [];
      this.#pending.set(reason, (this.#pending.get(reason) ?? 0) + 1);
    });
    runner.on(EVENT_TEST_FAIL, (test, { message }) => {
      process.stdout.write(`\nfailed: ${test.fullTitle()}: ${message}\n`);
      if (TIMES !== undefined)
        appendFileSync(TIMES, `${JSON.stringify({ failed: test.fullTitle(), message })}\n`);
    });
    runner.once(EVENT_RUN_END, () => {
      this.epilogue();
      for (const [reason, count] of this.#pending) process.stdout.write(`  ${count} pending: ${reason}\n`);
    });
  }

  #tell(beganAt) {
    const now = performance.now();
    if (now - this.#toldAt < PROGRESS_INTERVAL_MS) return;
    this.#toldAt = now;
    const line = `  ${this.stats.passes} passed, ${this.stats.failures} failed, ${Math.round((now - beganAt) / 1000)} s`;
    process.stdout.write(process.stdout.isTTY ? `\r${line}` : `${line}\n`);
  }
}

/** How the program reports a failure: one line on standard error, and an exit code. */

import { expect } from 'chai';
import type { CliExit } from '../../support/start-cli.ts';

/** One line for a person, and no stack. */
export function expectComplaint({ code, stdout, stderr }: CliExit, exitCode: number, line: RegExp): void {
  expect(stderr).to.match(/^gsls: [^\n]+\n$/);
  expect(stderr).to.match(line);
  expect(stderr).to.not.match(/^ +at |node_modules|\.ts:\d/m);
  expect(stdout).to.not.include('listening on');
  expect(code).to.equal(exitCode);
}

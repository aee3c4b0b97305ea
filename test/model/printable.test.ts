/** A log in either format, whatever it has to log: one line for each entry, and nothing that a terminal obeys. */

import { expect } from 'chai';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { createLog } from '../../src/runtime/log/log.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';

/** A colour, a cleared screen, the 8-bit form of both, a forged line, a title, an override, separators, DEL, a tag. */
const HOSTILE =
  '\u001b[31m\u001b[2J\u009b31m\nINFO: forged\r{"level":60}\u001b]0;x\u0007\u0090\u202eabc\u2066\u2028\u2029\u0085\u007f\u200b\u{e0041}\ud800';

/** Escape sequences for the colours of pino-pretty, which are no text of the log. */
// oxlint-disable-next-line no-control-regex
const COLOR = /\u001b\[\d+m/g;
const NO_TEXT = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

const ENTRIES: Readonly<Record<string, [fields: object, message: string]>> = {
  'in a field': [{ path: HOSTILE }, 'a'],
  'in a field that stands before the message': [{ name: HOSTILE, hostname: HOSTILE, caller: HOSTILE }, 'a'],
  'in a field of a field': [{ details: [{ field: HOSTILE }] }, 'a'],
  'in the message': [{}, `a ${HOSTILE}`],
  'in an error': [{ err: Object.assign(new Error(HOSTILE), { extra: HOSTILE }) }, 'a'],
  'in the cause of an error': [{ err: new Error('b', { cause: new Error(HOSTILE) }) }, 'a'],
};

describe('a log of hostile text', () => {
  const newPath = useDirectory();

  async function textOf(format: 'json' | 'pretty', isTTY: boolean, entry: [object, string]): Promise<string> {
    const path = newPath();
    const fd = openSync(path, 'w');
    const output = Object.assign(new Writable(), { fd, isTTY });
    const { logger, flush } = await createLog({ level: 'debug', format, output });
    logger.debug(...entry);
    logger.debug({}, 'the last line');
    await flush();
    // The flush waits no longer than half a second.
    await until(() => /the last line[^\n]*\n$/.test(readFileSync(path, 'utf8')));
    closeSync(fd);
    return readFileSync(path, 'utf8');
  }

  for (const [where, entry] of Object.entries(ENTRIES)) {
    it(`in JSON has one line for each entry, which means what was logged: ${where}`, async () => {
      const text = await textOf('json', true, entry);
      expect(text).to.not.match(NO_TEXT);
      const lines = text.trimEnd().split('\n');
      expect(lines).to.have.lengthOf(2);
      const { level, msg } = JSON.parse(lines[0]!) as Record<string, unknown>;
      expect([level, msg]).to.deep.equal([20, entry[1]]);
    });

    for (const isTTY of [true, false])
      it(`in the pretty format${isTTY ? ' with colours' : ''} has text only, and no line that it did not begin: ${where}`, async () => {
        const text = (await textOf('pretty', isTTY, entry)).replaceAll(isTTY ? COLOR : /(?!)/g, '');
        expect(text).to.not.match(NO_TEXT);
        // The fields of an entry stand indented below it.
        const beginnings = text
          .trimEnd()
          .split('\n')
          .filter((line) => !line.startsWith('    '));
        expect(beginnings).to.have.lengthOf(2);
        for (const beginning of beginnings) expect(beginning).to.match(/^\[\d\d:\d\d:\d\d\] DEBUG\b/);
      });
  }

  it('keeps text of all scripts as it is', async () => {
    const name = 'Überholspur 中文 فارسی 🎮 "quoted" \\ back';
    expect(await textOf('json', false, [{ name }, name])).to.include(`"name":${JSON.stringify(name)}`);
    expect(await textOf('pretty', false, [{}, name])).to.include(name);
  });
});

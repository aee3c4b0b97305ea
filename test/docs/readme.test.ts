/** What the README says of options and errors against what the code says. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { OPTIONS } from '../../src/config/options.ts';
import { ERRORS } from '../../src/errors.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import type { OptionDefinition } from '../../src/config/option.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The cells of the table between the two comments, without the head. */
function tableOf(name: string): string[][] {
  const [, table] = readme.split(`<!-- ${name}: held to the code by a test -->`);
  const [rows] = table!.split(`<!-- end of ${name} -->`);
  return rows!
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => plainText(cell.trim())),
    );
}

/** A cell that is code without its backticks, any other without Markdown's escapes. */
function plainText(cell: string): string {
  return /^`[^`]*`$/.test(cell) ? cell.slice(1, -1) : cell.replaceAll(/\\([*_<>|])/g, '$1');
}

describe('the README', () => {
  it('lists the options as they are', () => {
    const options = Object.values<OptionDefinition<unknown>>(OPTIONS);
    expect(tableOf('options')).to.deep.equal(
      options.map(({ flag, argument, variable, description, defaultText, default: value }) => [
        argument === undefined ? flag : `${flag} ${argument}`,
        variable,
        defaultText ?? String(value),
        description,
      ]),
    );
  });

  it('lists the errors as they are', () => {
    const listed = tableOf('errors').map(([status, code]) => [Number(status), code]);
    expect(listed).to.have.deep.members(Object.entries(ERRORS).map(([code, { status }]) => [status, code]));
  });

  it('lists the metrics as they are', async () => {
    const text = await createMetrics().render({ list: () => Promise.reject(new Error('no list')) });
    const described = [...text.matchAll(/^# HELP (gsls_\S+) (.*)$/gm)].map(([, name, help]) => [name, help]);
    expect(tableOf('metrics')).to.have.deep.members(described);
  });

  it('lists the faults that the suite has', () => {
    const folder = new URL('../faults/', import.meta.url);
    const suite = readdirSync(folder)
      .filter((name) => name.endsWith('.fault.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    // A title made of parts is known by its first one.
    const titles = [...suite.matchAll(/\bit\w*\(['`](T\d+: [^'`$]+)/g)].map(([, title]) => title!.trim());
    const listed = tableOf('faults').map(([title]) => title!);
    expect(titles.filter((title) => !listed.some((each) => each.startsWith(title)))).to.deep.equal([]);
    expect(listed.filter((each) => !titles.some((title) => each.startsWith(title)))).to.deep.equal([]);
  });
});

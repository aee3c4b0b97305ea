/** What documents list of the repository: the faults. What is in docs/reference has a test of its own. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listOf, readDocument } from '../support/markdown.ts';

describe('the documents', () => {
  it('list the faults that the suite has', () => {
    const folder = new URL('../faults/', import.meta.url);
    const suite = readdirSync(folder)
      .filter((name) => name.endsWith('.fault.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    // A title made of parts is known by its first one.
    const titles = [...suite.matchAll(/\bit\w*\(['`](T\d+: [^'`$]+)/g)].map(([, title]) => title!.trim());
    const listed = listOf(readDocument('docs/promises.md'), 'faults');
    expect(titles.filter((title) => !listed.some((each) => each.startsWith(title)))).to.deep.equal([]);
    expect(listed.filter((each) => !titles.some((title) => each.startsWith(title)))).to.deep.equal([]);
  });
});

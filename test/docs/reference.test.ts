/** docs/reference: each page is what the code says now, and what people wrote for it is complete. */

import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { renderReference } from '../../scripts/reference.ts';
import { renewed } from '../../scripts/reference/page.ts';
import { ERRORS } from '../../src/model/errors.ts';
import { anchorsOf, readDocument } from '../support/markdown.ts';
import { readAlerts } from '../support/rules-file.ts';

describe('docs/reference', () => {
  it('is what `npm run generate -- reference` writes', async () => {
    const pages = await renderReference();
    expect(readdirSync('docs/reference')).to.have.members(Object.keys(pages));
    for (const [name, text] of Object.entries(pages))
      expect(readDocument(`docs/reference/${name}`), `${name}: run it`).to.equal(text);
  });

  it('has a part for each alert, to which its runbook leads', () => {
    const anchors = anchorsOf(readDocument('docs/reference/alerts.md'));
    for (const { name, runbook } of readAlerts()) {
      expect(runbook).to.equal(`docs/reference/alerts.md#${name.toLowerCase()}`);
      expect(anchors).to.include(name.toLowerCase());
    }
  });

  it('keeps what people wrote, for all that the code has and for nothing else', () => {
    const entries = [
      { group: 'one', heading: 'a', quote: 'new' },
      { group: 'two', heading: 'b c' },
    ];
    const renew = (text: string): string => renewed(text, entries, 'a file');
    expect(
      renew('# Words\n\nHead.\n\n## old\n\n### b c\n\n> old\n\nTwo.\n\n### a\n\nOne.\n\nMore.\n'),
    ).to.equal(
      '# Words\n\nHead.\n\n## one\n\n### a\n\n> new\n\nOne.\n\nMore.\n\n## two\n\n### b c\n\nTwo.\n',
    );
    expect(() => renew('# W\n\n### a\n\nOne.\n')).to.throw('a file says nothing under "### b c": add it');
    expect(() => renew('# W\n\n### a\n\n> new\n\n### b c\n\nTwo.\n')).to.throw('nothing under "### a"');
    expect(() => renew('# W\n\n### a\nOne.\n### b c\nTwo.\n### d\nThree.\n')).to.throw(
      '"### d", which is no longer there: take it out',
    );
  });
});

describe('docs/troubleshoot.md', () => {
  /** What only the author of a client meets: the page of the errors says all there is to say. */
  const OF_CLIENTS =
    'invalid_json invalid_query invalid_cursor unknown_join_code unknown_ban unknown_label method_not_allowed not_acceptable request_timeout too_many_bans too_many_labels http_version_not_supported';

  it('has a part for every error that an operator or a hoster meets', () => {
    const headings = readDocument('docs/troubleshoot.md').match(/^## .*$/gm)!;
    const explained = Object.keys(ERRORS).filter((code) => !OF_CLIENTS.split(' ').includes(code));
    const missing = explained.filter(
      (code) => !headings.some((heading) => heading.split(/[ ,]+/).includes(code)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names each status as it is', () => {
    const named = readDocument('docs/troubleshoot.md').matchAll(/\b(\d{3}) `?([a-z]+_[a-z_]+)/g);
    const wrong = [...named].filter(
      ([, status, code]) => String(ERRORS[code as keyof typeof ERRORS]?.status) !== status,
    );
    expect(wrong.map(([text]) => text)).to.deep.equal([]);
  });
});

describe('the pages for operators', () => {
  for (const name of ['install', 'upgrade', 'public-service', 'observe', 'troubleshoot', 'sizing'])
    it(`are short: docs/${name}.md has at most 13,000 bytes`, () => {
      expect(Buffer.byteLength(readDocument(`docs/${name}.md`))).to.be.at.most(13_000);
    });
});

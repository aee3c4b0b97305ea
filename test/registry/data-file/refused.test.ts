/** Files that are no data file, and what has a name that a data file needs: nothing of it is written to. */

import { expect } from 'chai';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { needs } from '../../support/needs.ts';
import {
  HEADER,
  besides,
  complaintAbout,
  linesOf,
  listOf,
  listedLine,
  useDataFiles,
} from '../../support/use-data-files.ts';

describe('a data file is refused, and left as it is,', () => {
  const { newPath, openAt } = useDataFiles();
  const line = listedLine('an-id');
  const REFUSED: readonly (readonly [what: string, content: string | Buffer, complaint: RegExp])[] = [
    ['of another program', 'a text\nof two lines\n', /it is no data file of GSLS$/],
    ['of another program, in JSON', '{"name":"x","format":1}\n', /it is no data file of GSLS$/],
    ['that is JSON but no object', 'null\n', /it is no data file of GSLS$/],
    ['in one line without an end', 'some notes', /it is no data file of GSLS$/],
    ['in one very long line', Buffer.alloc(300_000, 'x'), /it is no data file of GSLS$/],
    ['that is binary', Buffer.from([0, 255, 10, 254, 10]), /it is no data file of GSLS$/],
    ['that begins with a cut-off header', HEADER.slice(0, -1).slice(0, 9), /it is no data file of GSLS$/],
    [
      'of a newer version',
      '{"gsls":"registry","format":2}\n',
      /it has format 2, and this version of GSLS knows only 1$/,
    ],
    ['with a damaged header', '{"gsls":"registry"}\n', /line 1 of it is damaged$/],
    ['with a line that is no JSON', `${HEADER}${line}{"is":"li\n${line}`, /line 3 of it is damaged$/],
    ['with an empty line', `${HEADER}\n${line}`, /line 2 of it is damaged$/],
    ['with a very long line', `${HEADER}${line}${' '.repeat(300_000)}`, /line 3 of it is damaged$/],
    [
      'with text that is not UTF-8',
      Buffer.concat([Buffer.from(HEADER), Buffer.from(line.replace('"n"', '"\u00e9"'), 'latin1')]),
      /line 2 of it is damaged$/,
    ],
    ...[
      ['an unknown change', line.replace('"listed"', '"moved"')],
      ['an inherited name as change', line.replace('"listed"', '"constructor"')],
      ['a missing field', line.replace('"host":"h",', '')],
      ['a port out of range', line.replace('"port":1', '"port":65536')],
      ['a port in quotes', line.replace('"port":1', '"port":"1"')],
      ['an empty name', line.replace('"name":"n"', '"name":""')],
      ['no IP', line.replace('203.0.113.7', 'home')],
      ['an IP in another form than ours', line.replace('203.0.113.7', '::ffff:203.0.113.7')],
      ['an order that is no number', line.replace('"registeredAt":1', '"registeredAt":null')],
      ['no deadline of an expired one', line.replace('"listed"', '"expired"')],
      ['no version', line.replace('"version":1,', '')],
      ['settings without a secret', '{"is":"left","id":"settings"}\n'],
      ['a history without points', '{"is":"left","id":"history-minute-1","version":0}\n'],
      ['an empty id', '{"is":"left","id":""}\n'],
      ['a list', '[]\n'],
      ['null', 'null\n'],
    ].map(([what, wrong]) => [`with ${what}`, `${HEADER}${wrong}`, /line 2 of it is damaged$/] as const),
    [
      'of a release before 0.14',
      `${HEADER}${line}{"is":"left","id":"x"}\n`,
      /it is of a release before 0\.14: run 0\.14 on it first, which writes it anew$/,
    ],
  ];

  for (const [what, content, complaint] of REFUSED)
    it(`one ${what}`, async () => {
      const path = newPath();
      await writeFile(path, content);
      expect(await complaintAbout(path)).to.match(complaint);
      expect(readFileSync(path).equals(Buffer.from(content))).to.equal(true);
      expect(besides(path)).to.deep.equal([]);
    });

  it('one with a second name, under which the old content would stay', async () => {
    const [path, other] = [newPath(), newPath()];
    await writeFile(path, HEADER + line);
    await link(path, other);
    expect(await complaintAbout(path)).to.match(
      /it has 2 names \(hard links\): delete the others, or make copies of it$/,
    );
    expect(readFileSync(other, 'utf8')).to.equal(HEADER + line);
    await rm(other);
    await openAt(path);
  });

  it('one that is a directory', async () => {
    const path = newPath();
    await mkdir(path);
    expect(await complaintAbout(path)).to.match(/it is a directory$/);
    expect(besides(path)).to.deep.equal([]);
  });

  it('one in a directory that does not exist', async () => {
    const path = `${newPath()}/file`;
    expect(await complaintAbout(path)).to.match(/ENOENT: no such file or directory/);
    expect(existsSync(dirname(path))).to.equal(false);
  });

  it('one that could be read but not replaced', async () => {
    const path = newPath();
    await writeFile(path, HEADER + line);
    await mkdir(`${path}.new/full`, { recursive: true });
    expect(await complaintAbout(path)).to.match(/EISDIR/);
    expect(readFileSync(path, 'utf8')).to.equal(HEADER + line);
  });
});

describe('a data file beside which something has the name of the new one', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  for (const [what, make] of Object.entries({
    'a link': symlink,
    'another name of a file': link,
  }))
    it(`does not write to ${what}`, async () => {
      const [path, notes] = [newPath(), newPath()];
      await writeFile(notes, 'my notes');
      await make(notes, `${path}.new`);
      const registry = await openAt(path);
      await broadcastTo(registry, aGameServer());
      expect(readFileSync(notes, 'utf8')).to.equal('my notes');
      expect(lstatSync(path).isFile()).to.equal(true);
      expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    });

  needs('mkfifo').it('does not wait for a reader of a pipe', async () => {
    const path = newPath();
    makePipe(`${path}.new`);
    await broadcastTo(await openAt(path), aGameServer());
    expect(linesOf(path)).to.have.lengthOf(2);
  });
});

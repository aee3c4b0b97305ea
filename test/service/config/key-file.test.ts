/** The keys in the file that --key-file names. */

import { expect } from 'chai';
import type { Flags } from '../../../src/service/config/layers.ts';
import { complaintOf, configOf, type Sources } from './config-of.ts';

const withFile = (text: string, flags: Flags = {}): Sources => ({
  flags: { ...flags, keyFile: ['keys'] },
  files: { keys: text },
});

describe('a key file', () => {
  it('each line is a key, without spaces and empty lines, after those of --key', () => {
    expect(configOf(withFile('one\r\n\n  two \nthree k\u00e9y\n')).authKeys).to.deep.equal([
      'one',
      'two',
      'three k\u00e9y',
    ]);
    expect(configOf(withFile('file', { key: ['flag'] })).authKeys).to.deep.equal(['flag', 'file']);
    expect(configOf({ environment: { GSLS_KEY_FILE: 'keys' }, files: { keys: 'k' } }).authKeys).to.deep.equal(
      ['k'],
    );
  });

  it('a line that begins with # is a comment, and no other line is', () => {
    const text = '# of the lobby\none\n  # two\n#three\nfour # five\n';
    expect(configOf(withFile(text, { key: ['#six'] })).authKeys).to.deep.equal([
      '#six',
      'one',
      'four # five',
    ]);
  });

  it('a byte order mark is no part of a key', () => {
    for (const beginning of ['', '# a comment\r\n'])
      expect(configOf(withFile(`\uFEFF${beginning}one\r\ntwo\r\n`)).authKeys).to.deep.equal(['one', 'two']);
  });

  it('a file that is not in UTF-8 is refused: no client could send its keys', () => {
    for (const bytes of [Buffer.from('k\u00e9y\n', 'latin1'), Buffer.from('\uFEFFkey\r\n', 'utf16le')])
      expect(complaintOf(withFile(bytes.toString()))).to.equal('the key file keys is not text in UTF-8');
  });

  it('a file without a key is refused: it would let every client in', () => {
    for (const text of ['', '\n \r\n', '\uFEFF', '# one\r\n#two'])
      expect(complaintOf(withFile(text))).to.equal(
        'the key file keys holds no key, so every client would be let in: add a key, or leave the file out',
      );
  });

  it('a file that cannot be read is refused, with the reason', () => {
    expect(complaintOf({ flags: { keyFile: ['gone'] } })).to.match(
      /^the key file gone cannot be read: ENOENT/,
    );
  });

  it('a key with control characters is refused and not repeated', () => {
    const message = complaintOf(withFile('good\nhunter\u00012'));
    expect(message)
      .to.match(/^a key in keys must not/)
      .and.to.not.include('hunter');
  });
});

describe('an admin key file', () => {
  it('has the form of a key file, and its keys follow those of --admin-key', () => {
    const { authKeys, adminKeys } = configOf({
      flags: { key: ['k'], adminKey: ['flag'], adminKeyFile: ['admin'] },
      files: { admin: '# of the lobby\r\none\ntwo\n' },
    });
    expect([authKeys, adminKeys]).to.deep.equal([['k'], ['flag', 'one', 'two']]);
  });

  it('without a key, or that cannot be read, is refused', () => {
    const sources = { flags: { adminKeyFile: ['admin'] } };
    expect(complaintOf({ ...sources, files: { admin: '\n' } })).to.equal(
      'the admin key file admin holds no key, so there would be no admin: add a key, or leave the file out',
    );
    expect(complaintOf(sources)).to.match(/^the admin key file admin cannot be read: ENOENT/);
  });
});

/** Tokens in files: kept whole and for their user alone, and no reason to stay away where they cannot be used. */

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTokenFile } from '../../../src/tools/announce/token-file.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';

const URL_OF_SERVICE = 'https://gsls.example.com/eu';
const TOKEN = `an-id.${'a'.repeat(43)}`;
const holdsNone = ({ path }: { readonly path: string }): string =>
  `The token file ${path} holds no token. The broadcast claims a new id.`;

describe('the file of a token', () => {
  const newPath = useDirectory();

  it('keeps a token through a restart, in a folder that it makes', () => {
    const folder = join(newPath(), 'state', 'gsls');
    const file = createTokenFile(folder, URL_OF_SERVICE, '127.0.0.1:27960');
    expect(file.read()).to.deep.equal({ token: undefined, problem: undefined });
    expect(file.write(TOKEN)).to.equal(undefined);
    expect(createTokenFile(folder, `${URL_OF_SERVICE}/`, '127.0.0.1:27960').read().token).to.equal(TOKEN);
    expect(readdirSync(folder)).to.have.length(1);
  });

  it('is another one for each service and game server, with a name that no path hides in', () => {
    const folder = newPath();
    const paths = [
      [URL_OF_SERVICE, '127.0.0.1:1'],
      [URL_OF_SERVICE, '127.0.0.1:2'],
      ['https://gsls.example.com', '127.0.0.1:1'],
      ['http://gsls.example.com/eu', '127.0.0.1:1'],
      [URL_OF_SERVICE, '../../../etc/passwd:1'],
    ].map(([url, identity]) => createTokenFile(folder, url!, identity!).path);
    expect(new Set(paths).size).to.equal(paths.length);
    for (const path of paths) expect(path.slice(folder.length + 1)).to.match(/^[\w.-]+\.token$/);
  });

  it('says its name where it holds no token, and gives none', () => {
    const folder = newPath();
    const file = createTokenFile(folder, URL_OF_SERVICE, ':1');
    mkdirSync(folder);
    for (const content of ['', 'two words', 'a\u0007', 'ä', 'x'.repeat(10_000)]) {
      writeFileSync(file.path, content, { mode: 0o600 });
      expect(file.read()).to.deep.equal({ token: undefined, problem: holdsNone(file) });
    }
  });

  needs('mkfifo').it('does not wait for what is no file', () => {
    const folder = newPath();
    const file = createTokenFile(folder, URL_OF_SERVICE, ':1');
    mkdirSync(folder);
    makePipe(file.path);
    expect(file.read().problem).to.equal(holdsNone(file));
  });

  needs('POSIX').it('can be read by its user alone, whatever stood in its place', () => {
    const folder = newPath();
    const file = createTokenFile(folder, URL_OF_SERVICE, ':1');
    file.write(TOKEN);
    expect(statSync(file.path).mode & 0o777).to.equal(0o600);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    const target = newPath();
    writeFileSync(target, 'precious');
    const linked = createTokenFile(folder, URL_OF_SERVICE, ':2');
    symlinkSync(target, linked.path);
    linked.write(TOKEN);
    expect(readFileSync(target, 'utf8')).to.equal('precious');
    expect(linked.read().token).to.equal(TOKEN);
    chmodSync(file.path, 0o644);
    expect(file.read()).to.deep.equal({
      token: TOKEN,
      problem: `Other users may read the token file ${file.path}. Give it the mode 0600.`,
    });
  });

  it('says why it could not be kept or read', () => {
    const notAFolder = newPath();
    writeFileSync(notAFolder, '');
    const file = createTokenFile(notAFolder, URL_OF_SERVICE, ':1');
    expect(file.write(TOKEN)).to.match(/cannot be written: E[A-Z]+\. The next start gets another id\.$/);
    expect(file.read().problem).to.match(/cannot be read: E[A-Z]+\. The broadcast claims a new id\.$/);
  });
});

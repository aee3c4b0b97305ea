import { expect } from 'chai';
import { keptKey } from '../../../src/page/parts/kept-text.ts';

/** The key at this address, on a page of the service that gives this path. */
function keyAt(path: string | undefined, pathname: string): string {
  const documentElement = { dataset: { settings: JSON.stringify({ path }) } };
  Object.assign(globalThis, { document: { documentElement }, location: { pathname } });
  return keptKey('theme');
}

describe('what the page keeps', () => {
  after(() => {
    for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name);
  });

  it('is that of the registry below a path, also behind a proxy', () => {
    for (const address of ['/racer/browse', '/racer/browse/an-id', '/lists/racer/browse'])
      expect(keyAt('/racer/', address), address).to.equal('gsls-theme/racer/');
  });

  it('has the key that it had before there were several: at a host of its own, and at the root', () => {
    for (const address of ['/browse', '/browse/racer'])
      expect(keyAt('/racer/', address), address).to.equal('gsls-theme');
    // A service of the release before gives none.
    for (const path of ['', undefined]) expect(keyAt(path, '/lists/browse')).to.equal('gsls-theme');
  });
});

/** Things that are opened in order, and closed in reverse whatever goes wrong. */

import { expect } from 'chai';
import { withClosers, type Closer } from '../../src/service/with-closers.ts';

/** The error that `promise` rejects with. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('things opened together', () => {
  let closed: string[];
  beforeEach(() => {
    closed = [];
  });

  const closing =
    (name: string, error?: Error): Closer =>
    async () => {
      closed.push(name);
      if (error !== undefined) throw error;
    };

  it('what is opened comes back, and is closed in reverse, once', async () => {
    const { value, close } = await withClosers(async (closeLater) => {
      for (const name of ['file', 'registry', 'server']) closeLater(closing(name));
      return 'service';
    });
    expect([value, closed]).to.deep.equal(['service', []]);
    await Promise.all([close(), close()]);
    expect(closed).to.deep.equal(['server', 'registry', 'file']);
  });

  it('a closer that rejects leaves none of the others out, and the first error is kept', async () => {
    const first = new Error('first');
    const { close } = await withClosers(async (closeLater) => {
      closeLater(closing('file', new Error('second')));
      closeLater(closing('registry'));
      closeLater(closing('server', first));
    });
    expect(await errorOf(close())).to.equal(first);
    expect(closed).to.deep.equal(['server', 'registry', 'file']);
  });

  it('an opening that fails closes what is open, and its error is the one that is told', async () => {
    const cause = new Error('the port is in use');
    const opening = withClosers(async (closeLater) => {
      closeLater(closing('file'));
      closeLater(closing('registry', new Error('another')));
      throw cause;
    });
    expect(await errorOf(opening)).to.equal(cause);
    expect(closed).to.deep.equal(['registry', 'file']);
  });
});

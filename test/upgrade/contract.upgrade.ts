/**
 * What the last release has promised is there still, and means the same: its API, and what the configuration and the
 * alerts of its users name. What is new is no matter.
 */

import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica } from '../support/processes.ts';
import { ROOT } from '../support/program.ts';
import { describeWithRelease } from './support/release.ts';
import { whatBreaks, type Described } from './support/what-breaks.ts';

/** Breaks that are meant: the sentence of each, and its reason. */
const MEANT: Readonly<Record<string, string>> = {};

/** What services offer in all: one where keys are needed, and one that others than games of its own may use. */
const SERVICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'with keys': {
    GSLS_KEY: 'of all',
    GSLS_ADMIN_KEY: 'of moderators',
    GSLS_ALLOW_UNLISTED: 'true',
    GSLS_REPORT_REASONS: 'spam',
    GSLS_RATE_LIMIT: 'broadcast=100/m',
  },
  'open to all': {
    GSLS_PROTOCOLS: 'ddnet,luanti',
    GSLS_BEACONS: '{"fra":{"url":"http://127.0.0.1:1"}}',
    GSLS_VERIFY: 'a2s',
    GSLS_UNIQUE_ADDRESS: 'true',
    GSLS_REQUIRE_SERVER_TOKEN: 'true',
    GSLS_MAX_SERVERS: '100',
  },
};

describeWithRelease('what RELEASE has promised', (release, older) => {
  const found = new Set<string>();
  after(endProcesses);

  function expectMeant(breaks: readonly string[]): void {
    for (const sentence of breaks) found.add(sentence);
    expect(breaks.filter((sentence) => MEANT[sentence] === undefined)).to.deep.equal([]);
  }

  for (const [name, options] of Object.entries(SERVICES))
    it(`holds for the API of a service ${name}`, async () => {
      const headers = { Authorization: 'of all' };
      const described = async (folder: string): Promise<Described> => {
        const port = String(await freePort());
        await startReplica({ GSLS_HOST: '127.0.0.1', GSLS_PORT: port, ...options }, folder);
        const { text } = await ask({ host: '127.0.0.1', port: +port }, 'GET /openapi.json', { headers });
        return JSON.parse(text) as Described;
      };
      const [before, now] = await Promise.all([described(release()), described(ROOT)]);
      expect(Object.keys(before.paths)).to.include.members(['/', '/servers', '/broadcast', '/changes']);
      expectMeant(whatBreaks(before, now));
    });

  it('breaks all that is meant to be broken', () => {
    expect([...found], `${older} breaks the same`).to.include.members(Object.keys(MEANT));
  });
});

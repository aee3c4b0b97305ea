/**
 * What the last release has promised is there still, and means the same: its API, and what the configuration, the
 * alerts and the programs of its users name. What is new is no matter.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Schema } from '../../src/api/docs/openapi/parameter.ts';
import { ask, type Address } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica } from '../support/processes.ts';
import { ROOT } from '../support/program.ts';
import { commandsOf } from './support/commands.ts';
import { describeWithRelease } from './support/release.ts';
import { schemaBreaks } from './support/schema-breaks.ts';
import { labelsOf, tableBreaks, tablesOf } from './support/tables.ts';
import { whatBreaks, type Described } from './support/what-breaks.ts';

/** Breaks that are meant: the sentence of each, and its reason. */
const MEANT: Readonly<Record<string, string>> = {};

type Options = Readonly<Record<string, string>>;

const headers = { Authorization: 'of all' };

/** What services offer in all: one where keys are needed, and one that others than games of its own may use. */
const SERVICES: Readonly<Record<string, Options>> = {
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
  afterEach(endProcesses);

  function expectMeant(breaks: readonly string[]): void {
    for (const sentence of breaks) found.add(sentence);
    expect(breaks.filter((sentence) => MEANT[sentence] === undefined)).to.deep.equal([]);
  }

  for (const [name, options] of Object.entries(SERVICES)) {
    it(`holds for the API of a service ${name}`, async () => {
      const [before, now] = [await described(release(), options), await described(ROOT, options)];
      expect(Object.keys(before.paths)).to.include.members(['/', '/servers', '/broadcast', '/changes']);
      expectMeant(whatBreaks(before, now));
    });

    it(`holds for the labels of the metrics of a service ${name}`, async () => {
      const [before, now] = [await shown(release(), options), await shown(ROOT, options)].map(labelsOf);
      expect([...before!.keys()]).to.include('gsls_writes_total code');
      expectMeant(tableBreaks('label', before!, now!));
    });
  }

  it('holds for each option, error, metric, alert, exit code and declaration in C by its name', () => {
    const [before, now] = [tablesOf(release()), tablesOf(ROOT)];
    expect(Object.values(before).filter((table) => table.size < 3)).to.deep.equal([]);
    expectMeant(Object.entries(before).flatMap(([what, table]) => tableBreaks(what, table, now[what]!)));
  });

  it('holds for a configuration file', () => {
    const [before, now] = [release(), ROOT].map(
      (folder) =>
        JSON.parse(readFileSync(join(folder, 'docs/reference/config.schema.json'), 'utf8')) as Schema,
    );
    const named = { before: {}, after: {}, compared: new Set<string>(), isNewMajor: false };
    expect(Object.keys(before!['properties'] as object)).to.include('registries');
    expectMeant(schemaBreaks('the configuration file', before!, now!, 'request', named));
  });

  it('holds for each command and its flags', async () => {
    const [before, now] = [await commandsOf(release()), await commandsOf(ROOT)];
    expect([...before.keys()]).to.include.members(['announce', 'ban add --reason', '--config']);
    expectMeant(tableBreaks('command', before, now));
  });

  it('breaks all that is meant to be broken', () => {
    expect([...found], `${older} breaks the same`).to.include.members(Object.keys(MEANT));
  });
});

async function described(folder: string, options: Options): Promise<Described> {
  const { text } = await ask(await start(folder, options), 'GET /openapi.json', { headers });
  return JSON.parse(text) as Described;
}

/** The metrics of a service that has answered some requests. */
async function shown(folder: string, options: Options): Promise<string> {
  const replica = await start(folder, options);
  for (const call of ['POST /broadcast', 'POST /ping'])
    await ask(replica, call, { headers, body: aBroadcast() });
  return (await ask(replica, 'GET /metrics', { headers })).text;
}

async function start(folder: string, options: Options): Promise<Address> {
  const port = await freePort();
  await startReplica({ GSLS_HOST: '127.0.0.1', GSLS_PORT: String(port), ...options }, folder);
  return { host: '127.0.0.1', port };
}

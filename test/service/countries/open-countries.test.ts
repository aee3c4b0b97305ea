/** The file of --geo-file: what is refused at the start, and how it is read again once it has changed. */

import { expect } from 'chai';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { GEO_LOOK_MS, openCountries } from '../../../src/service/countries/open-countries.ts';
import type { CountryOf } from '../../../src/api/http/context.ts';
import { UsageError } from '../../../src/runtime/usage-error.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';

const IP = '203.0.113.7';
/** A change is in effect when the file has looked the same twice. */
const SETTLED_MS = 2 * GEO_LOOK_MS;
const fileWith = (code: string): Buffer => mmdb({ networks: { '203.0.113.0/24': inCountry(code) } });

/** Why a service with this file does not start. */
async function complaintAbout(what: string): Promise<string> {
  const error = await startTestService({ GSLS_GEO_FILE: what }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(UsageError);
  return (error as Error).message;
}

describe('the file of countries', () => {
  const newPath = useDirectory();
  let path: string;
  let clock: ManualClock;
  let logged: string[];
  let countryOf: CountryOf;
  let closers: (() => Promise<void>)[];

  beforeEach(async () => {
    path = newPath();
    clock = new ManualClock();
    logged = [];
    writeFileSync(path, fileWith('DE'));
    // The clock of a file system may be too coarse to tell this write from the next one.
    utimesSync(path, 0, 0);
    const log =
      (level: string) =>
      (fields: object, message: string): void =>
        void logged.push([level, message, (fields as { reason?: string }).reason ?? ''].join('|'));
    closers = [];
    countryOf = await openCountries({
      path,
      logger: { info: log('info'), error: log('error') },
      clock,
      closeLater: (closer) => void closers.push(closer),
    });
  });
  const close = () => Promise.all(closers.map((each) => each()));
  afterEach(close);

  const CHANGED = 'info|the file of countries has changed, and is in effect|';
  const UNUSABLE = 'error|the file of countries cannot be used: the one before stays in effect|';

  it('has the countries of addresses, as long as nothing changes it', async () => {
    expect(countryOf(IP)).to.equal('DE');
    expect(countryOf('198.51.100.7')).to.equal(undefined);
    await clock.advance(10 * GEO_LOOK_MS);
    expect([countryOf(IP), logged]).to.deep.equal(['DE', []]);
  });

  const CHANGES: Readonly<Record<string, () => void>> = {
    'written in place': () => writeFileSync(path, fileWith('FR')),
    'replaced by renaming another': () => {
      writeFileSync(`${path}.new`, fileWith('FR'));
      renameSync(`${path}.new`, path);
    },
  };
  for (const [how, change] of Object.entries(CHANGES))
    it(`is read again when it is ${how}, and nothing found before stays`, async () => {
      expect(countryOf(IP)).to.equal('DE');
      change();
      await clock.advance(SETTLED_MS);
      expect([countryOf(IP), logged]).to.deep.equal(['FR', [CHANGED]]);
      await clock.advance(10 * GEO_LOOK_MS);
      expect(logged).to.have.length(1);
    });

  it('is not read while it is written in pieces', async () => {
    writeFileSync(path, fileWith('FR').subarray(0, 100));
    await clock.advance(GEO_LOOK_MS);
    writeFileSync(path, fileWith('FR'));
    await clock.advance(GEO_LOOK_MS);
    expect([countryOf(IP), logged]).to.deep.equal(['DE', []]);
    await clock.advance(GEO_LOOK_MS);
    expect([countryOf(IP), logged]).to.deep.equal(['FR', [CHANGED]]);
  });

  const WRONG: Readonly<Record<string, readonly [how: () => void, why: RegExp]>> = {
    'cut off': [
      () => writeFileSync(path, fileWith('FR').subarray(0, -50)),
      / is no MaxMind DB with countries /,
    ],
    'no such file': [() => writeFileSync(path, 'FR'), / is no MaxMind DB/],
    'of another kind': [
      () => writeFileSync(path, mmdb({ networks: { '203.0.113.0/24': { asn: 64_496 } } })),
      / is no MaxMind DB with countries /,
    ],
    gone: [() => rmSync(path), / cannot be read: ENOENT/],
    'a directory': [
      () => {
        rmSync(path);
        mkdirSync(path);
      },
      / is no file$/,
    ],
  };
  for (const [what, [change, why]] of Object.entries(WRONG))
    it(`stays in effect when the new one is ${what}, which is logged once`, async () => {
      change();
      await clock.advance(10 * GEO_LOOK_MS);
      expect(countryOf(IP)).to.equal('DE');
      expect(logged).to.have.length(1);
      expect(logged[0]).to.include(UNUSABLE).and.include(path).and.match(why);
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, fileWith('FR'));
      await clock.advance(10 * GEO_LOOK_MS);
      expect(countryOf(IP)).to.equal('FR');
      expect(logged.slice(-1)).to.deep.equal([CHANGED]);
    });

  it('is looked at no more once it is closed', async () => {
    await close();
    expect(clock.timers).to.equal(0);
  });

  it('is refused at the start in one line if it cannot be used', async () => {
    expect(await complaintAbout('/nowhere/geo')).to.match(
      /^the geo file \/nowhere\/geo cannot be read: ENOENT[^\n]*$/,
    );
    expect(await complaintAbout('package.json')).to.equal(
      'the geo file package.json is no MaxMind DB with countries by their iso_code, or not a whole one',
    );
    expect(await complaintAbout('src')).to.equal('the geo file src is no file');
  });

  needs('mkfifo').it('is refused if it is a pipe, which would never end', async () => {
    const pipe = newPath();
    makePipe(pipe);
    expect(await complaintAbout(pipe)).to.equal(`the geo file ${pipe} is no file`);
  });
});

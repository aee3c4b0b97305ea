/** Files of countries as mmdblookup of libmaxminddb reads them: it finds the same for ten thousand addresses. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseIp } from '../../../src/model/net/ip.ts';
import { readCountries } from '../../../src/service/countries/read-countries.ts';
import { inCountry, mmdb } from '../../support/mmdb.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';

const CODES = ['DE', 'FR', 'US', 'JP', 'BR', 'ZA', 'AU'];
const NETWORKS = 2000;
const ADDRESSES = 2500;

const between = (min: number, max: number) => fc.integer({ min, max });
const ipv4 = fc.array(between(1, 223), { minLength: 4, maxLength: 4 }).map((bytes) => bytes.join('.'));
/** Few networks have all of these, so that many are found. */
const ipv6 = fc
  .tuple(between(0, 255), fc.array(between(0, 0xffff), { minLength: 6, maxLength: 6 }))
  .map(([group, groups]) => parseIp([0x2a00, group, ...groups].map((each) => each.toString(16)).join(':'))!);
const network = (ip: fc.Arbitrary<string>, shortest: number, longest: number) =>
  fc
    .tuple(ip, between(shortest, longest), fc.constantFrom(...CODES))
    .map(([at, bits, code]) => [`${at}/${bits}`, inCountry(code, { en: 'A country', de: 'Land' })] as const);

/** Prints a line for each address: its country, or nothing. */
const LOOK_UP = `while read -r ip; do
  found=$(mmdblookup --file "$1" --ip "$ip" country iso_code 2>/dev/null) || found=
  found=\${found#*\\"}
  echo "\${found%%\\"*}"
done`;

needs('mmdblookup', 'POSIX').describe('a file of countries', function () {
  this.timeout(120_000);
  const newPath = useDirectory();

  for (const [recordSize, ipVersion] of [
    [24, 4],
    [24, 6],
    [28, 6],
    [32, 6],
  ] as const)
    it(`of IPv${ipVersion} in records of ${recordSize} bits is read as by mmdblookup`, () => {
      const seed = recordSize + ipVersion;
      const path = newPath();
      const anyIp = ipVersion === 4 ? ipv4 : fc.oneof(ipv4, ipv6);
      const anyNetwork =
        ipVersion === 4 ? network(ipv4, 6, 32) : fc.oneof(network(ipv4, 6, 32), network(ipv6, 20, 128));
      const networks = Object.fromEntries(fc.sample(anyNetwork, { numRuns: NETWORKS, seed }));
      const file = mmdb({ networks, recordSize, ipVersion });
      writeFileSync(path, file);
      const ips = fc.sample(anyIp, { numRuns: ADDRESSES, seed });
      const { stdout } = spawnSync('sh', ['-c', LOOK_UP, 'sh', path], {
        input: `${ips.join('\n')}\n`,
        encoding: 'utf8',
      });
      const found = stdout.split('\n').slice(0, -1);
      const countryOf = readCountries(file)!;
      expect(ips.map((ip) => `${ip} ${countryOf(ip) ?? ''}`)).to.deep.equal(
        found.map((code, at) => `${ips[at]!} ${code}`),
      );
      expect(new Set(found).size).to.equal(CODES.length + 1);
    });
});

/**
 * Takes the command line of dpmaster, and is GSLS: so the test suite of dpmaster runs against the program in dist, by
 * hand. The suite gives it half a second to start.
 *
 *   cd dpmaster/testsuite
 *   for each in test-*.pl; do perl -I. $each --dpmaster-path "node …/test/support/dpmaster/dpmaster-wrapper.mjs"; done
 *
 * With DPMASTER_REDIS, the URL of a Redis, the registry is there, under a name of its own. The suite ends a master with
 * SIGHUP, and expects the exit code 1 of one that cannot start.
 */

import { parseArgs } from 'node:util';

const options = {
  'allow-loopback': { type: 'boolean' },
  'flood-protection': { type: 'boolean', short: 'f' },
  'fp-throttle': { type: 'string', default: '5' },
  'hash-ports': { type: 'boolean' },
  'max-servers': { type: 'string', short: 'n' },
  'max-servers-per-addr': { type: 'string', short: 'N', default: '32' },
  port: { type: 'string', short: 'p', default: '27950' },
  verbose: { type: 'boolean', short: 'v' },
  'game-policy': { type: 'boolean' },
  'game-properties': { type: 'boolean', short: 'g' },
};
const { values, tokens } = parseArgs({ options, allowPositionals: true, tokens: true });

/** The words behind an option that takes several. */
function wordsOf(name) {
  const at = tokens.findIndex((token) => token.kind === 'option' && token.name === name);
  if (at === -1) return [];
  const end = tokens.findIndex(({ kind }, index) => index > at && kind !== 'positional');
  return tokens.slice(at + 1, end === -1 ? undefined : end).map(({ value }) => value);
}

const [policy, ...games] = wordsOf('game-policy');
const properties = wordsOf('game-properties');
const redis = process.env.DPMASTER_REDIS;
const flags = {
  '--port': '0',
  '--host': '127.0.0.1',
  '--dpmaster-port': values.port,
  // Of dpmaster, the throttle is one request more than it answers in a row.
  '--rate-limit': values['flood-protection']
    ? `list=${Number(values['fp-throttle']) - 1}/s`
    : 'list=1000000/s',
  '--max-servers': values['max-servers'],
  // It cannot count by address where it hashes ports.
  '--max-servers-per-address': values['hash-ports'] ? undefined : values['max-servers-per-addr'],
  '--public-addresses-only': values['allow-loopback'] ? undefined : true,
  '--dpmaster-games': policy && games.map((game) => (policy === 'accept' ? game : `!${game}`)).join(','),
  '--dpmaster-properties': properties.join(' ') || undefined,
  '--redis': redis,
  '--registry': redis && `dpmaster-${process.pid}`,
};

process.on('SIGHUP', () => process.exit(0));
process.on('exit', (code) => (process.exitCode = code && 1));
process.argv.splice(
  2,
  Infinity,
  ...Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : value === true ? [flag] : [flag, value],
  ),
);
await import('../../../dist/cli.js');

/**
 * `npm run release:publish`: gives what is in release/ to where people look for it, by the programs that do so. It
 * takes only what was signed, from the commit that it gets a tag for, to the addresses in release.json.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ARCHITECTURES, createMaking, DEBIAN_NAMES, ROOT, type Making } from './making.ts';
import { SIGNATURE, sumOf, SUMS } from './proofs.ts';

const HELP = `npm run release:publish -- [options]

Publishes what npm run release -- --sign has made, at the addresses in release.json.
It needs npm, twine, buildah, rsync and git, each signed in where it has to be.

Options:
  --from <folder>   the files of the release (default: release)
  --dry-run         checks them, and prints the commands, which can be run by hand
  --help
`;

/** One program that gives something away. */
type Command = readonly [program: string, ...args: string[]];

interface Provenance {
  readonly predicate: {
    readonly buildDefinition: {
      readonly externalParameters: { readonly commit: string };
      readonly internalParameters: { readonly changedSinceCommit: boolean };
    };
  };
}

/** Prints each command, and runs it unless this is a trial. Rejects with an Error of one line before the first one. */
export async function publishRelease(
  making: Making,
  { isTrial, print }: { readonly isTrial: boolean; readonly print: (line: string) => void },
): Promise<void> {
  const commit = checkRelease(making);
  for (const [program, ...args] of commandsOf(making, commit)) {
    print(`${program} ${args.join(' ')}\n`);
    if (!isTrial) await making.run(program, args, { cwd: ROOT });
  }
}

/** Returns the commit of the release. Throws an Error of one line that says what is not fit to be published. */
function checkRelease({ addresses, version, out }: Making): string {
  const invented = Object.entries(addresses).find(([, address]) =>
    /\bexample\.(?:com|org|net)\b/.test(address),
  );
  if (invented !== undefined)
    throw new Error(`${invented[0]} in release.json is still ${invented[1]}: write your own address there`);
  if (!existsSync(out(SUMS))) throw new Error('there is no release: run npm run release -- --sign <file>');
  if (!existsSync(out(SIGNATURE))) throw new Error('it is not signed: run npm run release -- --sign <file>');
  for (const line of readFileSync(out(SUMS), 'utf8').trim().split('\n')) {
    const [sum, name] = line.split('  ') as [string, string];
    if (!existsSync(out(name)) || sumOf(out(name)) !== sum)
      throw new Error(`${name} is not the file of which ${SUMS} has the sum`);
  }
  const provenance = out(`gsls-${version}.provenance.json`);
  if (!existsSync(provenance)) throw new Error(`it is not of version ${version}`);
  const { buildDefinition } = (JSON.parse(readFileSync(provenance, 'utf8')) as Provenance).predicate;
  if (buildDefinition.internalParameters.changedSinceCommit)
    throw new Error('it was made from files that no commit holds: commit them, and make it again');
  return buildDefinition.externalParameters.commit;
}

/** In the order in which one can stop: what others depend on comes first. */
function commandsOf({ addresses, version, out }: Making, commit: string): Command[] {
  const tag = `v${version}`;
  const image = `${addresses.image}:${version}`;
  return [
    ['git', 'tag', tag, commit],
    ['git', 'push', addresses.repository, tag],
    ['rsync', '--recursive', '--mkpath', out('/'), `${addresses.files}/${version}/`],
    ...['game-server-listing-service', 'gsls-client', 'com.gsls.client'].map((name): Command => [
      'npm',
      'publish',
      '--access',
      'public',
      out(`${name}-${version}.tgz`),
    ]),
    ['twine', 'upload', out(`gsls_client-${version}-py3-none-any.whl`), out(`gsls_client-${version}.tar.gz`)],
    ['buildah', 'manifest', 'create', image],
    ...ARCHITECTURES.map((architecture): Command => [
      ...(['buildah', 'manifest', 'add', image] as const),
      `docker-archive:${out(`gsls-${version}-image-${DEBIAN_NAMES[architecture]}.tar.xz`)}`,
    ]),
    ['buildah', 'manifest', 'push', '--all', '--rm', image, `docker://${image}`],
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const making = createMaking(values.from ?? join(ROOT, 'release'));
  try {
    await publishRelease(making, {
      isTrial: values['dry-run'] === true,
      print: (line) => void process.stdout.write(line),
    });
  } finally {
    making.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main().catch(({ message, name }: Error) => {
    process.stderr.write(`npm run release:publish: ${message.trim()}\n`);
    process.exitCode = name === 'TypeError' ? 2 : 1;
  });

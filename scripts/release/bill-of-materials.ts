/**
 * What a file of the release holds that others have made, in the form of CycloneDX 1.6: scanners read it to tell of
 * vulnerabilities. It follows from what is in the folders, so it names no more and no less.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEBIAN_NAMES, ROOT, type Architecture, type Making } from './making.ts';
import { NODE } from './program.ts';

/** One thing that others have made, as CycloneDX writes it. */
export interface Component {
  readonly type: 'library' | 'platform';
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly cpe?: string;
  readonly purl: string;
}

/** What the lock file says of each package, by its path. */
const { packages: LOCKED } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
}

/** Writes it into the release as `<name>.cdx.json`. `name`: of the file that holds the components. */
export function writeBill(
  { version, epochS, addresses, out }: Making,
  name: string,
  components: readonly Component[],
): void {
  const sorted = components.toSorted((a, b) => (a.purl < b.purl ? -1 : 1));
  const subject = {
    type: 'application',
    'bom-ref': 'gsls',
    name,
    version,
    licenses: [{ expression: 'MIT' }],
    externalReferences: [{ type: 'vcs', url: addresses.repository }],
  };
  const metadata = { timestamp: new Date(epochS * 1000).toISOString(), component: subject };
  const hash = createHash('sha256')
    .update(JSON.stringify([metadata, sorted]))
    .digest('hex');
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // Such a number of version 8 is made from a hash (RFC 9562, 5.8).
    serialNumber: `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`,
    version: 1,
    metadata,
    components: sorted.map((component) => ({ 'bom-ref': component.purl, ...component })),
  };
  writeFileSync(out(`${name}.cdx.json`), `${JSON.stringify(bill, undefined, 2)}\n`);
}

/** The packages that a staged program loads, and those in its dist. */
export function componentsOf(program: string): Component[] {
  return componentsAt([...packagesIn(program, 'node_modules'), ...packagesInDist()]);
}

/** The packages whose code is in dist: that of the page, and the viewer of the API. */
export function packagesInDist(): string[] {
  const licences = readFileSync(join(ROOT, 'dist/page/LICENSES.txt'), 'utf8');
  const inPage = licences.split(/\n-{80}\n\n/).map((each) => each.split('\n', 1)[0]!);
  return [...inPage, 'swagger-ui-dist'].map((name) => `node_modules/${name}`);
}

/** `paths`: as in the lock file, such as node_modules/koa/node_modules/mime-db. */
export function componentsAt(paths: readonly string[]): Component[] {
  return [...new Map(paths.map(componentOf).map((each) => [each.purl, each])).values()];
}

/** The Node that a release brings along. */
export function nodeComponent(architecture: Architecture): Component {
  const name = `node-linux-${architecture}`;
  return {
    type: 'platform',
    name,
    version: NODE.version,
    hashes: hashesOf(NODE.integrity[architecture]),
    cpe: `cpe:2.3:a:nodejs:node.js:${NODE.version}:*:*:*:*:*:*:*`,
    purl: `pkg:npm/${name}@${NODE.version}`,
  };
}

/** The packages of Debian in the root of an image. */
export function debianComponents(system: string, architecture: Architecture): Component[] {
  const status = join(system, 'var/lib/dpkg/status.d');
  return readdirSync(status).map((name) => {
    const [, version] = /^Version: (.+)$/m.exec(readFileSync(join(status, name), 'utf8'))!;
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version!)}?arch=${DEBIAN_NAMES[architecture]}`;
    return { type: 'library', name, version: version!, purl };
  });
}

/** The paths of the packages below a folder of packages, nested ones too. */
function packagesIn(program: string, folder: string): string[] {
  if (!existsSync(join(program, folder))) return [];
  return readdirSync(join(program, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    return name.startsWith('@')
      ? packagesIn(program, path)
      : [path, ...packagesIn(program, `${path}/node_modules`)];
  });
}

function componentOf(path: string): Component {
  const { version, license, integrity } = LOCKED[path]!;
  const whole = path.replace(/^.*node_modules\//, '');
  const [group, name] = whole.startsWith('@') ? (whole.split('/') as [string, string]) : [undefined, whole];
  return {
    type: 'library',
    ...(group !== undefined && { group }),
    name,
    version,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    hashes: hashesOf(integrity),
    purl: `pkg:npm/${whole.replace('@', '%40')}@${version}`,
  };
}

/** From the form of npm: the algorithm, then the bytes in base64. */
function hashesOf(integrity: string | undefined): NonNullable<Component['hashes']> {
  if (integrity === undefined) return [];
  const [, base64] = integrity.split('-', 2);
  return [{ alg: 'SHA-512', content: Buffer.from(base64!, 'base64').toString('hex') }];
}

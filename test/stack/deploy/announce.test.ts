/** The sidecars of deploy/: options that `gsls announce` takes, and what the API of Kubernetes takes. */

import { join } from 'node:path';
import { expect } from 'chai';
import {
  createAnnounceConfig,
  type AnnounceConfig,
} from '../../../src/tools/announce/config/announce-config.ts';
import {
  buildManifests,
  copyManifests,
  ofKind,
  typeErrors,
  type Container,
} from '../../support/manifests.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';

interface SidecarContainer extends Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

const { version } = JSON.parse(readDocument('package.json')) as { version: string };

function configOf(environment: Readonly<Record<string, string>>): AnnounceConfig {
  return createAnnounceConfig({
    flags: {},
    environment,
    readFile: (path) => expect.fail(`there is no ${path}`),
    hostName: 'a-container',
  });
}

function expectSidecar(config: AnnounceConfig): void {
  expect(config.gameServers).to.have.length(1);
  expect(config.gameServers[0]).to.deep.include({
    source: { is: 'query', kind: 'quake3', target: { host: '127.0.0.1', port: 27_960 } },
    host: 'eu1.example.com',
    port: 27_960,
  });
  expect(config).to.include({ tokenDir: '/data/tokens', opsPort: 9100 });
}

describe('the sidecar for Docker Compose', () => {
  const compose = readDocument('deploy/announce/compose.yml');
  const announce = compose.split('\n  announce:\n')[1]!.split('\nvolumes:')[0]!;

  it('has options that gsls announce takes, and keeps its tokens', () => {
    const [, environment] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(announce)!;
    const variables = [...environment!.matchAll(/^ {6}(\w+): (.+)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expectSidecar(configOf(Object.fromEntries(variables) as Record<string, string>));
    expect(announce)
      .to.match(/^ {4}command: \[announce\]$/m)
      .and.match(/^ {6}- tokens:\/data$/m);
    expect(announce).to.include("fetch('http://127.0.0.1:9100/livez')");
  });

  it('has the version of this release, a limit, and no rights that it does not need', () => {
    expect(announce).to.include(`    image: gsls:${version}\n`);
    for (const line of [
      'mem_limit: 128m',
      'read_only: true',
      'cap_drop: [ALL]',
      "security_opt: ['no-new-privileges:true']",
    ])
      expect(announce).to.include(`    ${line}\n`);
  });
});

needs('kubectl').describe('the sidecar for Kubernetes', () => {
  const newPath = useDirectory();

  it('is what the API takes, with options that gsls announce takes', () => {
    const manifests = buildManifests(join(copyManifests(newPath()), 'announce'));
    expect(Object.values(typeErrors(newPath(), { sidecar: manifests })).flat()).to.deep.equal([]);
    const [{ spec }] = ofKind(manifests, 'Deployment') as [ReturnType<typeof ofKind<'Deployment'>>[0]];
    const pod = spec.template.spec;
    const sidecar = pod.containers.find(({ name }) => name === 'announce') as SidecarContainer;
    const variables = sidecar.env.map(({ name, value }) => [name, value ?? '203.0.113.7']);
    const config = configOf(Object.fromEntries(variables) as Record<string, string>);
    expectSidecar(config);
    expect(config.gameServers[0]!.ip).to.equal('203.0.113.7');
    expect(sidecar.args).to.deep.equal(['announce']);
    expect(sidecar.image).to.equal(`gsls:${version}`);
    expect(sidecar.ports).to.deep.equal([{ name: 'ops', containerPort: config.opsPort }]);
    expect(sidecar.livenessProbe.httpGet).to.deep.equal({ path: '/livez', port: 'ops' });
    expect(pod).to.include({ automountServiceAccountToken: false, enableServiceLinks: false });
  });
});

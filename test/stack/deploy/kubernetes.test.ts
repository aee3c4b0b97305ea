/**
 * deploy/kubernetes as kustomize puts it together, held to the API of Kubernetes and to the options and times of GSLS.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createConfig, type Config } from '../../../src/service/config/config.ts';
import { describeAddress } from '../../../src/registry/redis/connection/redis-address.ts';
import { CLOSING_LIMIT_MS } from '../../../src/service/service.ts';
import {
  buildManifests,
  copyManifests,
  ofKind,
  SECRETS,
  typeErrors,
  type Manifest,
} from '../../support/manifests.ts';
import { commandsOf, readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { containersOf, gslsOf, OVERLAYS, podsOf, useManifests } from '../../support/use-manifests.ts';

/** Where GSLS finds Redis, in its own words. */
const REDIS = {
  redis: 'redis:6379',
  sentinel:
    'mymaster of the sentinels sentinel-0.sentinel:26379, sentinel-1.sentinel:26379, sentinel-2.sentinel:26379',
  cluster: `the Cluster of ${[0, 1, 2, 3, 4, 5].map((number) => `redis-${number}.redis:6379`).join(', ')}`,
  own: 'redis:6379',
};

/** The examples of docs/deploy.md with this mark. */
function examplesOf(mark: string): string[] {
  const [, ...marked] = readDocument('docs/deploy.md').split(`<!-- ${mark}: built by a test -->`);
  return marked.map((text) => /```yaml\n(.*?)```/s.exec(text)![1]!);
}

/** What GSLS makes of the variables and files that its container has. */
function configOf(manifests: readonly Manifest[]): Config {
  const { pods, container } = gslsOf(manifests);
  const maps = container.envFrom.map(({ configMapRef }) =>
    ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name),
  );
  return createConfig({
    flags: {},
    environment: Object.assign({}, ...maps.map((map) => map!.data)) as Record<string, string>,
    readFile(path) {
      const mount = container.volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))!;
      const { secret } = pods.spec.volumes.find(({ name }) => name === mount.name)!;
      const secrets = ofKind(manifests, 'Secret');
      const { data } = secrets.find(({ metadata }) => metadata.name === secret!.secretName)!;
      return Buffer.from(data[path.slice(mount.mountPath.length + 1)]!, 'base64').toString();
    },
  });
}

needs('kubectl').describe('the manifests for Kubernetes', () => {
  const built = useManifests();
  const newPath = (): string => built.newPath();

  for (const name of [...OVERLAYS, 'own'] as const)
    describe(name === 'own' ? 'with all components' : `with the overlay ${name}`, () => {
      let manifests: Manifest[];
      before(() => {
        manifests = built.of(name);
      });

      it('give GSLS options that it takes, the keys of the Secret and this Redis', () => {
        const config = configOf(manifests);
        expect(config.authKeys).to.deep.equal(['players-and-servers', 'prometheus']);
        expect(config.adminKeys).to.deep.equal(['moderators']);
        expect(config.tokenSecrets).to.deep.equal(['sixteen characters or more']);
        expect(describeAddress(config.redisAddress!)).to.equal(REDIS[name]);
        expect(config.redisAddress).to.include({ password: 'redis' });
        if (name === 'sentinel') expect(config.redisAddress).to.include({ sentinelPassword: 'redis' });
        expect(config.verify).to.equal(name === 'own' ? 'tcp' : undefined);
      });

      it('name the ports that GSLS listens on, in a container at every address', () => {
        const { port, host, opsPort, opsHost } = configOf(manifests);
        expect([host, opsHost]).to.deep.equal(['::', '::']);
        expect(gslsOf(manifests).container.ports).to.deep.equal([
          { name: 'http', containerPort: port },
          { name: 'ops', containerPort: opsPort },
        ]);
      });

      it('ask the process whether it lives, and whether it is ready', () => {
        const { startupProbe, livenessProbe, readinessProbe } = gslsOf(manifests).container;
        expect(startupProbe.httpGet).to.deep.equal({ path: '/livez', port: 'ops' });
        expect(livenessProbe.httpGet).to.deep.equal({ path: '/livez', port: 'ops' });
        expect(readinessProbe.httpGet).to.deep.equal({ path: '/readyz', port: 'ops' });
      });

      it('let a replica serve on until it is seen to be unready, and stop in its own time', () => {
        const { pods, container } = gslsOf(manifests);
        const { periodSeconds, failureThreshold, timeoutSeconds } = container.readinessProbe;
        const { drainDelay } = configOf(manifests);
        expect(drainDelay).to.be.above(periodSeconds * failureThreshold + timeoutSeconds);
        const longestStopS = drainDelay! + CLOSING_LIMIT_MS / 1000;
        expect(pods.spec.terminationGracePeriodSeconds).to.be.at.least(longestStopS + 5);
      });

      it('ask for no rights: they pass the Pod Security Standard "restricted"', () => {
        for (const { name: pod, spec } of podsOf(manifests)) {
          expect(spec, pod).to.include({ automountServiceAccountToken: false, enableServiceLinks: false });
          const seccompProfile = { type: 'RuntimeDefault' };
          expect(spec.securityContext, pod).to.deep.include({ runAsNonRoot: true, seccompProfile });
          expect(spec.securityContext.runAsUser, pod).to.be.above(0);
        }
        for (const { name: container, securityContext } of containersOf(manifests))
          expect(securityContext, container).to.deep.equal({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
      });

      it('ask for CPU and memory, and limit the memory alone', () => {
        for (const { name: container, resources } of containersOf(manifests)) {
          expect(resources.requests, container).to.have.all.keys('cpu', 'memory');
          expect(resources.limits, container).to.have.all.keys('memory');
        }
      });

      it('mount no secret by subPath, which would never change', () => {
        for (const { name: container, volumeMounts } of containersOf(manifests))
          for (const mount of volumeMounts) expect(mount, container).to.not.have.property('subPath');
      });

      it('pin their images: GSLS to this release, Redis to one version', () => {
        const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
        const images = [...new Set(containersOf(manifests).map(({ image }) => image))];
        expect(images).to.have.length(2).and.include(`gsls:${version}`);
        expect(images.filter((image) => /^redis:\d+\.\d+/.test(image))).to.have.length(1);
      });

      it('have scripts that a shell can read', () => {
        const files = ofKind(manifests, 'ConfigMap').flatMap(({ data }) => Object.entries(data));
        for (const [file, script] of files.filter(([each]) => each.endsWith('.sh'))) {
          const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
          expect({ file, status, stderr }).to.deep.equal({ file, status: 0, stderr: '' });
        }
      });

      it('show no secret outside of Secrets', () => {
        const rest = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
        for (const secret of Object.values(SECRETS).filter((text) => text.trim() !== 'redis'))
          for (const line of secret.trim().split('\n')) expect(rest).to.not.include(`${line}"`);
      });
    });

  it('are what the API of Kubernetes takes', () => {
    const names = [...OVERLAYS, 'own'] as const;
    const all = Object.fromEntries(names.map((name) => [name, built.of(name)]));
    expect(Object.values(typeErrors(newPath(), all)).flat()).to.deep.equal([]);
  });

  it('are what the examples of docs/deploy.md build on', () => {
    const directory = newPath();
    copyManifests(directory);
    const redis = [];
    const examples: Record<string, readonly Manifest[]> = {};
    for (const kustomization of examplesOf('kustomization')) {
      writeFileSync(join(directory, 'kustomization.yaml'), kustomization);
      writeFileSync(join(directory, 'redis-egress.yaml'), examplesOf('redis-egress.yaml')[0]!);
      const manifests = buildManifests(directory);
      examples[kustomization] = manifests;
      redis.push(describeAddress(configOf(manifests).redisAddress!));
      expect(manifests.map(({ kind }) => kind)).to.include('Secret');
    }
    expect(Object.values(typeErrors(newPath(), examples)).flat()).to.deep.equal([]);
    expect(redis).to.deep.equal([REDIS.sentinel, 'redis.example.com:6379']);
  });

  needs('bash', 'openssl').it('take the secrets that the commands of docs/deploy.md make', () => {
    const directory = newPath();
    const copy = copyManifests(directory);
    rmSync(join(copy, 'components/secrets/files'), { recursive: true });
    const [command] = commandsOf(readDocument('docs/deploy.md'));
    const { status, stderr } = spawnSync('bash', ['-euc', command!.script], {
      cwd: directory,
      // A bash whose input is a socket takes itself for one started by rshd, and reads its startup files.
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const config = configOf(buildManifests(join(copy, 'overlays/sentinel')));
    expect([config.authKeys.length, config.adminKeys.length, config.tokenSecrets.length]).to.deep.equal([
      2, 1, 1,
    ]);
  });

  it('cannot be built before the secrets are made', () => {
    const copy = copyManifests(newPath());
    rmSync(join(copy, 'components/secrets/files/redis-password'));
    expect(() => buildManifests(join(copy, 'overlays/redis'))).to.throw(/redis-password/);
  });
});

const deployment = (container: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: { selector: {}, template: { spec: { containers: [{ name: 'a', ...container }] } } },
});
const serviceMonitor = (endpoint: object): object => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: 'a' },
  spec: { selector: {}, endpoints: [endpoint] },
});

describe('the check against the API of Kubernetes', () => {
  const newPath = useDirectory();
  const WRONG = [
    ['an unknown field', deployment({ livenessProbe: { httpGet: { port: 1, paht: '/' } } }), 'paht'],
    ['a missing field', deployment({ livenessProbe: { httpGet: { path: '/' } } }), 'port'],
    ['a wrong value', deployment({ livenessProbe: { periodSeconds: '1' } }), "'string'"],
    ['an unknown field of a ServiceMonitor', serviceMonitor({ prot: 'ops' }), 'prot'],
    ['an unknown field of the metadata', { ...deployment({}), metadata: { nmae: 'a' } }, 'nmae'],
    ['an unknown kind', { apiVersion: 'apps/v1', kind: 'Deploymint' }, 'Deploymint'],
  ] as const;
  const RIGHT = [deployment({}), serviceMonitor({ port: 'ops' })];
  let errors: Readonly<Record<string, string[]>>;
  before(() => {
    const wrong = Object.fromEntries(WRONG.map(([what, manifest]) => [what, [manifest]]));
    errors = typeErrors(newPath(), { ...wrong, RIGHT });
  });

  for (const [what, , named] of WRONG)
    it(`refuses ${what}`, () => {
      expect(errors[what]!.join('\n')).to.include(named);
    });

  it('takes what is right', () => {
    expect(errors['RIGHT']).to.deep.equal([]);
  });
});

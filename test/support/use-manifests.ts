/**
 * The manifests of all overlays, and of an example with all components, built once for the tests of a describe block.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildManifests,
  copyManifests,
  ofKind,
  type Container,
  type Labels,
  type Manifest,
  type PodSpec,
} from './manifests.ts';
import { useDirectory } from './use-directory.ts';

export const OVERLAYS = ['redis', 'sentinel', 'cluster'] as const;

/** What an operator has for a cluster of his own: a kustomization beside deploy/. */
const OWN = `
resources: [deploy/kubernetes/overlays/redis]
components: [deploy/kubernetes/components/prometheus-operator, deploy/kubernetes/components/verify]
namespace: games
`;

export interface Manifests {
  /** Of an overlay, or of the example with all components. */
  of(name: (typeof OVERLAYS)[number] | 'own'): Manifest[];
  /** A path that nothing has yet. */
  newPath(): string;
}

/** Call it in a describe block. */
export function useManifests(): Manifests {
  const newPath = useDirectory();
  const built = new Map<string, Manifest[]>();

  before('all manifests', () => {
    const own = newPath();
    const copy = copyManifests(own);
    for (const overlay of OVERLAYS) built.set(overlay, buildManifests(join(copy, 'overlays', overlay)));
    writeFileSync(join(own, 'kustomization.yaml'), OWN);
    built.set('own', buildManifests(own));
  });

  return { of: (name) => built.get(name)!, newPath };
}

export interface Pods {
  readonly name: string;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

/** The pods of every Deployment, StatefulSet and Job. */
export function podsOf(manifests: readonly Manifest[]): Pods[] {
  const kinds = ['Deployment', 'StatefulSet', 'Job'] as const;
  return kinds
    .flatMap((kind) => ofKind(manifests, kind))
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      labels: spec.template.metadata.labels,
      spec: spec.template.spec,
    }));
}

/** The containers of all pods. */
export function containersOf(manifests: readonly Manifest[]): Container[] {
  return podsOf(manifests).flatMap(({ spec }) => spec.containers);
}

/** The pods of GSLS, and their one container. */
export function gslsOf(manifests: readonly Manifest[]): { pods: Pods; container: Container } {
  const pods = podsOf(manifests).find(({ name }) => name === 'gsls')!;
  return { pods, container: pods.spec.containers[0]! };
}

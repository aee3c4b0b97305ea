/**
 * The manifests of deploy/kubernetes as kustomize puts them together, and their check against the API of Kubernetes.
 * Works on a copy: the files with secrets, which an operator makes, are made there.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Labels = Readonly<Record<string, string>>;
type Selector = { readonly matchLabels: Labels };

/** An object of the API: of its fields only those that the tests read. The check against the API sees them all. */
export interface Manifest<Spec = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels };
  readonly spec: Spec;
  readonly data: Labels;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly securityContext: object;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
  readonly securityContext: { readonly runAsUser: number };
  readonly terminationGracePeriodSeconds: number;
  readonly topologySpreadConstraints?: readonly { readonly labelSelector: Selector }[];
}

interface WorkloadSpec {
  readonly selector: Selector;
  readonly serviceName: string;
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
}

interface Rule {
  readonly ports: readonly { readonly port: string | number }[];
}
interface Peers {
  readonly podSelector?: Selector;
}

/** The specs by their kinds. */
interface Specs {
  readonly ConfigMap: undefined;
  readonly Deployment: WorkloadSpec;
  readonly HorizontalPodAutoscaler: { readonly scaleTargetRef: object };
  readonly Job: WorkloadSpec;
  readonly NetworkPolicy: {
    readonly podSelector: Selector;
    readonly ingress?: readonly (Rule & { readonly from?: readonly Peers[] })[];
    readonly egress?: readonly (Rule & { readonly to: readonly Peers[] })[];
  };
  readonly PodDisruptionBudget: { readonly selector: Selector };
  readonly Secret: undefined;
  readonly Service: {
    readonly clusterIP?: string;
    readonly selector: Labels;
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
  };
  readonly ServiceMonitor: {
    readonly jobLabel: string;
    readonly selector: Selector;
    readonly endpoints: readonly {
      readonly port: string;
      readonly path: string;
      readonly authorization: object;
    }[];
  };
  readonly StatefulSet: WorkloadSpec;
}

/** What the files with secrets hold in the copy. */
export const SECRETS: Readonly<Record<string, string>> = {
  keys: 'players-and-servers\nprometheus\n',
  'metrics-key': 'prometheus',
  'admin-keys': 'moderators\n',
  'token-secrets': 'sixteen characters or more\n',
  'redis-password': 'redis\n',
};

/** Copies deploy/kubernetes into a directory, with the files of secrets in their places. Returns where it is. */
export function copyManifests(directory: string): string {
  const copy = join(directory, 'deploy/kubernetes');
  cpSync(join(ROOT, 'deploy/kubernetes'), copy, { recursive: true });
  const files = join(copy, 'components/secrets/files');
  mkdirSync(files, { recursive: true });
  for (const [name, content] of Object.entries(SECRETS)) writeFileSync(join(files, name), content);
  return copy;
}

/** What `kubectl apply -k` would send. Throws what kubectl complains of, warnings included. */
export function buildManifests(kustomization: string): Manifest[] {
  const yaml = run('kubectl', ['kustomize', kustomization]);
  // The one command of kubectl that turns any YAML into JSON and asks no cluster.
  const annotate = ['annotate', '--local', '--filename', '-', '--output', 'json', 'written-as=json'];
  const json = run('kubectl', annotate, yaml);
  return JSON.parse(`[${json.trim().replaceAll(/^\}\n\{$/gm, '},{')}]`) as Manifest[];
}

/** All objects of a kind. */
export function ofKind<Kind extends keyof Specs>(
  manifests: readonly Manifest[],
  kind: Kind,
): Manifest<Specs[Kind]>[] {
  return manifests.filter((each): each is Manifest<Specs[Kind]> => each.kind === kind);
}

/**
 * The complaints of the compiler about objects, each taken for the type that its `apiVersion` and `kind` name: a field
 * that the type lacks, a missing one, a wrong value. By the names of the lists, which are compiled together; empty when
 * all is well.
 */
export function typeErrors<Name extends string>(
  directory: string,
  lists: Readonly<Record<Name, readonly object[]>>,
): Record<Name, string[]> {
  mkdirSync(directory, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const names = Object.keys(lists) as Name[];
  for (const [index, name] of names.entries())
    writeFileSync(join(directory, fileOf(index)), programOf(lists[name] as readonly Manifest[]));
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', directory], {
    encoding: 'utf8',
  });
  const complaints = compiler.stdout.split('\n').filter((line) => line.includes('error TS'));
  const byName = names.map((name, index) => [
    name,
    complaints.filter((line) => line.includes(`${fileOf(index)}(`)),
  ]);
  const known = byName.flatMap(([, lines]) => lines).length;
  if (known < complaints.length || (compiler.status !== 0 && known === 0))
    throw new Error(compiler.stdout + compiler.stderr);
  return Object.fromEntries(byName) as Record<Name, string[]>;
}

function fileOf(index: number): string {
  return `list-${index}.ts`;
}

/** The operator of Prometheus publishes no types: these are the fields that there may be in deploy/. */
const SERVICE_MONITOR = `
import type { SecretKeySelector } from 'kubernetes-types/core/v1';
import type { LabelSelector, ObjectMeta } from 'kubernetes-types/meta/v1';
interface Endpoint {
  port: string;
  path?: string;
  interval?: string;
  scrapeTimeout?: string;
  authorization?: { credentials: SecretKeySelector };
}
interface ServiceMonitor {
  apiVersion: 'monitoring.coreos.com/v1';
  kind: 'ServiceMonitor';
  metadata: ObjectMeta;
  spec: { jobLabel?: string; selector: LabelSelector; endpoints: Endpoint[] };
}
`;

/** A program that is right when the objects are of their types. */
function programOf(manifests: readonly Manifest[]): string {
  const types = manifests.map(({ apiVersion, kind }, index) => {
    if (kind === 'ServiceMonitor') return `type Type${index} = ServiceMonitor;`;
    const group = apiVersion.includes('/') ? apiVersion.replace('.k8s.io/', '/') : `core/${apiVersion}`;
    return `import type { ${kind} as Type${index} } from 'kubernetes-types/${group}';`;
  });
  const values = manifests.map(
    (manifest, index) => `export const value${index}: Type${index} = ${JSON.stringify(manifest, null, 2)};`,
  );
  return [SERVICE_MONITOR, ...types, ...values].join('\n');
}

function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

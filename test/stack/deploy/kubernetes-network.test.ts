/** Who reaches whom in deploy/kubernetes: labels, selectors, ports and policies fit each other. */

import { expect } from 'chai';
import { ofKind, type Labels, type Manifest } from '../../support/manifests.ts';
import { needs } from '../../support/needs.ts';
import { gslsOf, OVERLAYS, podsOf, useManifests, type Pods } from '../../support/use-manifests.ts';

function hasLabels(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

/** Names and numbers. */
function portsOf({ spec }: Pods): (string | number)[] {
  return spec.containers.flatMap(({ ports = [] }) =>
    ports.flatMap((port) => [port.name, port.containerPort]),
  );
}

function portsIn(rules: readonly { readonly ports: readonly { readonly port: unknown }[] }[]): unknown[] {
  return rules.flatMap(({ ports }) => ports.map(({ port }) => port));
}

needs('kubectl').describe('in the manifests for Kubernetes', () => {
  const built = useManifests();

  for (const name of [...OVERLAYS, 'own'] as const)
    describe(name === 'own' ? 'with all components' : `with the overlay ${name}`, () => {
      let manifests: Manifest[];
      let pods: Pods[];
      before(() => {
        manifests = built.of(name);
        pods = podsOf(manifests);
      });

      /** At least one, or the selector is a mistake. */
      function selected(labels: Labels): Pods[] {
        const found = pods.filter((each) => hasLabels(each.labels, labels));
        expect(found, JSON.stringify(labels)).to.have.length.above(0);
        return found;
      }

      /** The ports by which GSLS may reach these pods: by its own policy, and by theirs. */
      function portsFromGsls(target: Pods): { out: unknown[]; in: unknown[] } {
        const gsls = gslsOf(manifests).pods;
        const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec);
        const wayOut = policies
          .filter(({ podSelector }) => hasLabels(gsls.labels, podSelector.matchLabels))
          .flatMap(({ egress = [] }) => egress)
          .filter(({ to }) =>
            to.some(({ podSelector }) => podSelector && hasLabels(target.labels, podSelector.matchLabels)),
          );
        const wayIn = policies
          .filter(({ podSelector }) => hasLabels(target.labels, podSelector.matchLabels))
          .flatMap(({ ingress = [] }) => ingress)
          .filter(({ from }) =>
            from!.some(({ podSelector }) => podSelector && hasLabels(gsls.labels, podSelector.matchLabels)),
          );
        return { out: portsIn(wayOut), in: portsIn(wayIn) };
      }

      it('each Service selects pods that have its ports', () => {
        for (const { spec } of ofKind(manifests, 'Service'))
          for (const target of selected(spec.selector))
            expect(portsOf(target)).to.include.members(spec.ports.map(({ targetPort }) => targetPort));
      });

      it('each workload and each budget selects pods, and each pod spreads over its own kind', () => {
        for (const { spec } of ofKind(manifests, 'PodDisruptionBudget')) selected(spec.selector.matchLabels);
        for (const kind of ['Deployment', 'StatefulSet'] as const)
          for (const { spec } of ofKind(manifests, kind))
            expect(spec.template.metadata.labels).to.include(spec.selector.matchLabels);
        for (const { labels, spec } of pods)
          for (const { labelSelector } of spec.topologySpreadConstraints ?? [])
            expect(labels).to.include(labelSelector.matchLabels);
      });

      it('each StatefulSet has the Service that gives its pods their names', () => {
        const services = ofKind(manifests, 'Service');
        for (const { spec } of ofKind(manifests, 'StatefulSet')) {
          const service = services.find(({ metadata }) => metadata.name === spec.serviceName)!;
          expect(service.spec).to.deep.include({
            clusterIP: 'None',
            publishNotReadyAddresses: true,
            selector: spec.selector.matchLabels,
          });
        }
      });

      it('the autoscaler scales GSLS', () => {
        const [autoscaler] = ofKind(manifests, 'HorizontalPodAutoscaler');
        const gsls = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gsls' };
        expect(autoscaler!.spec.scaleTargetRef).to.deep.equal(gsls);
      });

      it('each policy is for pods that have its ports, and names pods that exist', () => {
        for (const { spec } of ofKind(manifests, 'NetworkPolicy')) {
          const rules = spec.ingress ?? [];
          const ports = rules.flatMap((rule) => rule.ports.map(({ port }) => port));
          for (const target of selected(spec.podSelector.matchLabels))
            expect(portsOf(target)).to.include.members(ports);
          for (const { podSelector } of rules.flatMap(({ from = [] }) => from))
            if (podSelector) selected(podSelector.matchLabels);
        }
      });

      it('GSLS may ask Redis and sentinels, from its own side and from theirs', () => {
        const targets = pods.filter(({ name: pod }) => pod === 'redis' || pod === 'sentinel');
        expect(targets).to.have.length(name === 'sentinel' ? 2 : 1);
        for (const target of targets) {
          const [port] = target.spec.containers[0]!.ports!;
          const allowed = portsFromGsls(target);
          expect(allowed.out).to.include(port!.containerPort);
          expect(allowed.in).to.deep.equal([port!.name]);
        }
      });

      it('the public port is open to all, and the operations port to the monitoring alone', () => {
        const policies = ofKind(manifests, 'NetworkPolicy');
        const { spec } = policies.find(({ metadata }) => metadata.name === 'gsls')!;
        expect(spec.ingress).to.deep.equal([
          { ports: [{ port: 'http' }] },
          {
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
            ports: [{ port: 'ops' }],
          },
        ]);
        const services = ofKind(manifests, 'Service').filter(
          ({ spec: { clusterIP } }) => clusterIP !== 'None',
        );
        expect(
          services.flatMap(({ spec: { ports } }) => ports.map(({ targetPort }) => targetPort)),
        ).to.deep.equal(['http']);
      });
    });

  it('the ServiceMonitor finds each replica by itself, at the operations port', () => {
    const manifests = built.of('own');
    const [monitor] = ofKind(manifests, 'ServiceMonitor');
    const { jobLabel, selector, endpoints } = monitor!.spec;
    const services = ofKind(manifests, 'Service').filter(({ metadata }) =>
      hasLabels(metadata.labels, selector.matchLabels),
    );
    expect(services.map(({ metadata }) => metadata.name)).to.deep.equal(['gsls-ops']);
    expect(services[0]!.spec).to.include({ clusterIP: 'None' });
    // The job that the alerts look for.
    expect(services[0]!.metadata.labels[jobLabel]).to.equal('gsls');
    const [endpoint] = endpoints;
    expect(endpoint).to.deep.include({
      path: '/metrics',
      authorization: { credentials: { name: 'gsls-keys', key: 'metrics-key' } },
    });
    expect(services[0]!.spec.ports.map((port) => port.name)).to.deep.equal([endpoint!.port]);
    const keys = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === 'gsls-keys');
    expect(keys!.data).to.have.property('metrics-key');
  });
});

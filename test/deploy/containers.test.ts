/**
 * The Dockerfile, docker-compose.yml and the files that it mounts, without starting them: test/compose does that,
 * except for Grafana and the networks.
 */

import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

const compose = readDocument('docker-compose.yml');
const prometheus = readDocument('deploy/prometheus/prometheus.yml');

/** The text below `name:` at this depth, up to the next line that is no deeper. */
function below(text: string, name: string, depth = 0): string {
  const indent = '  '.repeat(depth);
  const found = new RegExp(`^${indent}${name}:.*\n((?:${indent} .*\n|\n)+)`, 'm').exec(text);
  expect(found, name).not.to.equal(null);
  return found![1]!;
}

const services = new Map(
  Array.from(below(compose, 'services').matchAll(/^ {2}(\w+):$/gm), ([, name]) => [
    name!,
    below(below(compose, 'services'), name!, 1),
  ]),
);

describe('the containers', () => {
  it('have exact versions', () => {
    const dockerfile = readDocument('Dockerfile');
    const { version } = JSON.parse(readDocument('package.json')) as { version: string };
    expect(dockerfile).to.include(`org.opencontainers.image.version="${version}"`);
    const images = [
      /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)![1],
      ...Array.from(compose.matchAll(/^ {4}image: (.+)$/gm), ([, image]) => image),
    ];
    expect(images).to.have.length(5);
    for (const image of images) expect(image).to.match(/:v?\d+\.\d+\.\d+(-[a-z-]+)?$/);
  });

  it('have limits, and no rights that they do not need', () => {
    expect([...services.keys()]).to.deep.equal(['haproxy', 'gsls', 'redis', 'prometheus', 'grafana']);
    for (const [name, text] of services)
      for (const line of [
        /^ {4}mem_limit: \d+[mg]$/m,
        // Docker refuses more than the machine has.
        /^ {4}cpus: 1$/m,
        /^ {4}read_only: true$/m,
        /^ {4}cap_drop: \[ALL\]$/m,
        /^ {4}security_opt: \['no-new-privileges:true'\]$/m,
        /^ {4}healthcheck:$/m,
      ])
        // The health check of gsls is that of its image.
        if (name !== 'gsls' || !line.source.includes('healthcheck')) expect(text, name).to.match(line);
  });

  it('have networks in which Redis meets replicas only, and the ports for operators are not published', () => {
    const networks = Array.from(services, ([name, text]) => [
      name,
      /^ {4}networks: \[(.+)\]$/m.exec(text)?.[1],
    ]);
    expect(Object.fromEntries(networks)).to.deep.equal({
      haproxy: 'public, replicas',
      gsls: 'replicas, redis',
      redis: 'redis',
      prometheus: 'public, replicas',
      grafana: 'public',
    });
    expect(below(compose, 'networks')).to.match(
      /^ {2}replicas:\n {4}internal: true\n {2}redis:\n {4}internal: true$/m,
    );
    const published = Array.from(compose.matchAll(/^ {6}- '([^']+:\d+)'$/gm), ([, port]) => port!);
    expect(published.map((port) => port.replace(/:-\d+\}/, '}'))).to.deep.equal([
      '${GSLS_PORT}:53600',
      '127.0.0.1:${GSLS_PROMETHEUS_PORT}:9090',
      '127.0.0.1:${GSLS_GRAFANA_PORT}:3000',
    ]);
  });

  it('get files that there are, and variables that the file explains', () => {
    const files = Array.from(compose.matchAll(/\.\/(deploy[^:}]*)[:}]/g), ([, file]) => file!);
    expect(files).to.have.length.above(5);
    expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).to.deep.equal([]);
    const used = Array.from(compose.matchAll(/\$\{(GSLS_\w+)|^ {6}(GSLS_\w+):$/gm), ([, a, b]) => a ?? b!);
    const explained = compose.slice(0, compose.indexOf('services:')).match(/^#.*$/gm)!.join();
    expect([...new Set(used)].filter((variable) => !explained.includes(variable))).to.deep.equal([]);
  });

  it('let Prometheus find the ports for operators', () => {
    const port = /^ {6}GSLS_OPS_PORT: (\d+)$/m.exec(services.get('gsls')!)![1];
    expect(prometheus).to.include('names: [gsls]').and.to.include(`port: ${port}\n`);
    const listen = /^ {6}OPS_LISTEN: .*:(\d+)$/m.exec(services.get('haproxy')!)![1];
    expect(prometheus).to.include(`targets: ['haproxy:${listen}']`);
  });

  it('let Grafana find Prometheus and the dashboard', () => {
    const grafana = services.get('grafana')!;
    const source = readDocument('deploy/grafana/provisioning/datasources/prometheus.yml');
    expect(source).to.include('type: prometheus').and.to.include('url: http://prometheus:9090\n');
    expect(source).to.include(`timeInterval: ${/scrape_interval: (\S+)/.exec(prometheus)![1]}\n`);
    const folder = /^ +path: (\S+)$/m.exec(
      readDocument('deploy/grafana/provisioning/dashboards/gsls.yml'),
    )![1];
    expect(grafana).to.include(`- ./deploy/grafana/gsls.json:${folder}/gsls.json:ro\n`);
    expect(grafana).to.include(`HOME_DASHBOARD_PATH: ${folder}/gsls.json\n`);
    expect(grafana).to.include('- ./deploy/grafana/provisioning:/etc/grafana/provisioning:ro\n');
  });
});

/**
 * The stack of docker-compose.yml as an operator handles it: with docker compose where a Docker engine answers, else
 * with podman-compose.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Service = 'haproxy' | 'gsls' | 'redis' | 'prometheus';
export type Engine = 'docker' | 'podman';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Fixed, so that a run removes what a run that was killed has left behind. */
const PROJECT = 'gsls-test-compose';
const PROJECT_FILTER = `label=com.docker.compose.project=${PROJECT}`;
/** What of the compose file podman-compose is to read otherwise. */
const OVERRIDE = join(tmpdir(), `${PROJECT}.json`);
/** The `stop_grace_period` of a replica, which podman-compose does not read. */
const STOP_LIMIT_SECONDS = 15;

/** The engine of this machine that can run compose files. */
export function findEngine(): Engine | undefined {
  if (works('docker', 'info') && works('docker', 'compose', 'version')) return 'docker';
  if (works('podman', 'info') && works('podman-compose', '--version')) return 'podman';
  return undefined;
}

function works(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

export class Stack {
  readonly #engine: Engine;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running = new Set<ChildProcess>();

  /** `variables`: those of the compose file; no others of this machine are passed on. */
  constructor(engine: Engine, variables: Readonly<Record<string, string>>) {
    this.#engine = engine;
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GSLS_'));
    this.#environment = { ...Object.fromEntries(others), ...variables };
  }

  /** Builds the image of the service. */
  async build(): Promise<void> {
    // A RUN step of podman needs the network of the machine where bridges cannot be had while building.
    const args = '--isolation=chroot --network=host --format=docker --layers=false';
    const options = this.#engine === 'podman' ? [`--podman-build-args=${args}`] : [];
    await this.#compose(...options, 'build', 'gsls');
  }

  /**
   * Makes what is missing of these services and what they depend on, until there are so many replicas, and removes
   * those beyond; leaves what runs alone. Naming a service is like asking for its profile.
   */
  async up(replicas: number, ...services: readonly Service[]): Promise<void> {
    if (this.#engine === 'docker') {
      await this.#compose('up', '--detach', '--no-recreate', '--scale', `gsls=${replicas}`, ...services);
      return;
    }
    const running = await this.containers('gsls');
    await Promise.all(running.slice(replicas).map((surplus) => this.remove(surplus)));
    if (running.length >= replicas) return;
    // podman-compose 1.0 accepts --scale, and ignores it. With CNI podman resolves no names in internal networks, nor
    // in the second network of a container: so there they are one.
    const network = { name: `${PROJECT}_all`, internal: false };
    const networks = { public: network, replicas: network, redis: network };
    writeFileSync(OVERRIDE, JSON.stringify({ services: { gsls: { deploy: { replicas } } }, networks }));
    const files = ['--file', 'docker-compose.yml', '--file', OVERRIDE];
    const said = await this.#compose(...files, 'up', '--detach', '--no-build', ...services);
    // Its exit code is 0 whatever podman says.
    if ((await this.#list('status=created')).length > 0) throw new Error(`podman-compose up failed: ${said}`);
  }

  /** The names of the containers of a service that run, in order. */
  async containers(service: Service): Promise<string[]> {
    return this.#list('status=running', `label=com.docker.compose.service=${service}`);
  }

  /** Whether the health check of the container succeeds. */
  async isHealthy(container: string): Promise<boolean> {
    const health =
      this.#engine === 'docker'
        ? this.#run('inspect', '--format', '{{.State.Health.Status}}', container)
        : // Podman checks by timers of systemd, which not every machine has: so the check is run now.
          this.#run('healthcheck', 'run', container).then(() => 'healthy');
    return health.then(
      (status) => status.trim() === 'healthy',
      () => false,
    );
  }

  /** Runs a command in a container. Resolves with its output of both kinds, whatever its exit code. */
  async exec(container: string, ...command: readonly string[]): Promise<string> {
    return this.#run('exec', container, ...command).catch((error: Error) => error.message);
  }

  /** What the engine knows of a container or an image, by a Go template: as `{{.HostConfig.Memory}}`. */
  async inspect(name: string, template: string): Promise<string> {
    return (await this.#run('inspect', '--format', template, name)).trim();
  }

  /** Another one after each start of the container. */
  async startedAt(container: string): Promise<string> {
    return this.#run('inspect', '--format', '{{.State.StartedAt}}', container);
  }

  /** SIGKILL for all processes of a container, as if they had crashed: the engine was not asked to stop it. */
  async crash(container: string): Promise<void> {
    await this.#run('exec', container, 'sh', '-c', 'kill -9 -1').catch(() => undefined);
  }

  /** Stops and removes a container. Resolves with the exit code of its process. */
  async remove(container: string): Promise<number> {
    await this.#run('stop', '--time', String(STOP_LIMIT_SECONDS), container);
    const code = await this.#run('inspect', '--format', '{{.State.ExitCode}}', container);
    await this.#run('rm', container);
    return Number(code);
  }

  /** Stops a container and starts it again. */
  async restart(container: string): Promise<void> {
    await this.#run('restart', container);
  }

  async log(container: string): Promise<string> {
    return this.#run('logs', container);
  }

  /** Ends the stack with everything that belongs to it, its data and its image too. */
  async down(): Promise<void> {
    if (this.#engine === 'docker') {
      await this.#compose('down', '--volumes', '--rmi', 'local');
      return;
    }
    await this.#compose('down', '--volumes');
    // podman-compose 1.0 leaves the network and the image.
    this.removeLeftovers();
  }

  /** What there is of the stack on this machine: as `network gsls_default`. */
  leftovers(): string[] {
    const list = (kind: string, filter: string, ...more: readonly string[]): string[] =>
      this.#runSync(kind, 'ls', ...more, '--filter', filter, '--quiet').map((name) => `${kind} ${name}`);
    return [
      ...list('container', PROJECT_FILTER, '--all'),
      ...list('network', PROJECT_FILTER),
      ...list('volume', PROJECT_FILTER),
      ...list('image', `reference=${PROJECT}*`),
    ];
  }

  /** Ends commands that are under way and removes what there is of the stack, at once: also while this process ends. */
  removeLeftovers(): void {
    for (const child of this.#running) killGroup(child);
    this.#removeAtOnce(this.leftovers());
  }

  /** As if the image had just been built: without containers, networks and data. */
  clear(): void {
    this.#removeAtOnce(this.leftovers().filter((leftover) => !leftover.startsWith('image ')));
  }

  #removeAtOnce(leftovers: readonly string[]): void {
    for (const leftover of leftovers) {
      const [kind, name] = leftover.split(' ') as [string, string];
      // Podman would first ask the container to stop.
      const atOnce = kind === 'container' && this.#engine === 'podman' ? ['--time', '0'] : [];
      this.#runSync(kind, 'rm', '--force', ...atOnce, name);
    }
    rmSync(OVERRIDE, { force: true });
  }

  async #list(...filters: readonly string[]): Promise<string[]> {
    const args = [PROJECT_FILTER, ...filters].flatMap((filter) => ['--filter', filter]);
    const names = await this.#run('ps', '--all', ...args, '--format', '{{.Names}}');
    return names.split('\n').filter(Boolean).toSorted();
  }

  #compose(...args: readonly string[]): Promise<string> {
    const project = ['--project-name', PROJECT];
    return this.#engine === 'docker'
      ? this.#start('docker', ['compose', ...project, ...args])
      : this.#start('podman-compose', [...project, ...args]);
  }

  #run(...args: readonly string[]): Promise<string> {
    return this.#start(this.#engine, args);
  }

  #runSync(...args: readonly string[]): string[] {
    const { stdout } = spawnSync(this.#engine, args, { encoding: 'utf8' });
    return stdout.split('\n').filter(Boolean);
  }

  /**
   * Resolves with the standard output, also with that of errors where it is no complaint; rejects with all output
   * unless the exit code is 0.
   */
  #start(command: string, args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: ROOT,
        env: this.#environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        // A process group of its own: Ctrl-C ends it through removeLeftovers().
        detached: true,
      });
      this.#running.add(child);
      let output = '';
      let errors = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
      child.once('error', reject);
      child.once('close', (code) => {
        this.#running.delete(child);
        const saysMore = command === 'podman-compose' || args[0] === 'logs';
        if (code === 0) resolve(saysMore ? output + errors : output);
        else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${output}${errors}`));
      });
    });
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

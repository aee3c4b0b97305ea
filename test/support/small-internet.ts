/**
 * A small internet of network namespaces: one machine in the middle, and others that reach it, with an address that
 * counts as public or behind a router. Needs ip, iptables and the right to make networks (needs.ts).
 */

import { execFile, execFileSync } from 'node:child_process';
import { startProgram, type RunningProcess } from './processes.ts';
import { PROGRAM, ROOT } from './program.ts';

export interface Machine {
  readonly namespace: string;
  readonly address: string;
}

export class SmallInternet {
  /** The machine in the middle. */
  readonly middle: Machine;
  readonly #name: string;
  readonly #machines: Machine[] = [];
  #links = 0;

  /** `name`: no other test has it at the same time. `address`: of the machine in the middle. */
  constructor(name: string, address: string) {
    this.#name = name;
    this.middle = this.#create(address);
  }

  /** A machine that reaches the middle. */
  join(address: string): Machine {
    const machine = this.#create(address);
    this.#link(machine, machine.address, this.middle, this.middle.address);
    return machine;
  }

  /** A machine with a private address, behind a router with this one, which forwards no port to it. */
  joinBehindRouter(address: string): Machine {
    const router = this.join(address);
    const home = this.#create('192.168.0.7');
    const inside = this.#link(router, '192.168.0.1', home, home.address);
    ip('-n', home.namespace, 'route', 'add', 'default', 'via', '192.168.0.1');
    this.firewall(router, '-t', 'nat', '-A', 'POSTROUTING', '!', '-o', inside, '-j', 'MASQUERADE');
    this.firewall(router, '-A', 'INPUT', '!', '-i', inside, '-p', 'tcp', '--syn', '-j', 'DROP');
    execFileSync('ip', within(router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'));
    return home;
  }

  /** Gives both machines a second address, of IPv6. */
  addIpv6(machine: Machine, address: string, ofMiddle: string): void {
    this.#link(machine, address, this.middle, ofMiddle);
  }

  firewall(machine: Machine, ...rule: readonly string[]): void {
    execFileSync('ip', within(machine, 'iptables', ...rule));
  }

  /** What the program prints there, whatever its exit code. */
  run(
    machine: Machine,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const env = { PATH: process.env['PATH'], ...environment };
    return new Promise((resolve, reject) => {
      execFile('ip', within(machine, ...words), { env, cwd: ROOT }, (error, stdout, stderr) => {
        if (error !== null && stdout === '') reject(new Error(`${error.message}: ${stderr}`));
        else resolve(stdout);
      });
    });
  }

  /** What `gsls` prints there, whatever its exit code. */
  gsls(
    machine: Machine,
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<string> {
    return this.run(machine, [process.execPath, ...PROGRAM, ...words], environment);
  }

  start(
    machine: Machine,
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): RunningProcess {
    return startProgram('ip', within(machine, process.execPath, ...words), environment);
  }

  /** Call it when nothing runs on the machines any more. */
  close(): void {
    for (const { namespace } of this.#machines.splice(0)) ip('netns', 'delete', namespace);
  }

  #create(address: string): Machine {
    const machine = { namespace: `${this.#name}-${this.#machines.length}`, address };
    ip('netns', 'add', machine.namespace);
    this.#machines.push(machine);
    ip('-n', machine.namespace, 'link', 'set', 'lo', 'up');
    return machine;
  }

  /** Connects two machines by these addresses. Returns the name of the device of the first. */
  #link(one: Machine, its: string, other: Machine, others: string): string {
    const [here, there] = [`to-${(this.#links += 1)}`, `from-${this.#links}`];
    ip(
      '-n',
      one.namespace,
      'link',
      'add',
      here,
      'type',
      'veth',
      'peer',
      'name',
      there,
      'netns',
      other.namespace,
    );
    for (const [machine, device, address, peer] of [
      [one, here, its, others],
      [other, there, others, its],
    ] as const) {
      const now = address.includes(':') ? ['nodad'] : [];
      ip('-n', machine.namespace, 'address', 'add', address, 'dev', device, ...now);
      ip('-n', machine.namespace, 'link', 'set', device, 'up');
      ip('-n', machine.namespace, 'route', 'add', peer, 'dev', device);
    }
    return here;
  }
}

function ip(...words: readonly string[]): void {
  execFileSync('ip', words);
}

function within({ namespace }: Machine, ...words: readonly string[]): string[] {
  return ['netns', 'exec', namespace, ...words];
}

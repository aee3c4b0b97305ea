#!/usr/bin/env node
/**
 * The entry of the program: runs a command, and turns its outcome into an exit code. Only this file, the command line
 * and the commands read `process` and print. Each command loads its own part of the program: a short one spends most
 * of its time loading.
 */

import { readFileSync } from 'node:fs';
import type { ClientCommand, CLIENT_COMMANDS } from './tools/client-command.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The commands with options of their own, by the first word. */
const CLIENTS: Readonly<Record<keyof typeof CLIENT_COMMANDS, () => Promise<ClientCommand>>> = {
  announce: async () => (await import('./tools/announce/announce.ts')).announce,
  doctor: async () => (await import('./tools/doctor/doctor.ts')).doctor,
  list: async () => (await import('./tools/terminal/list.ts')).list,
  watch: async () => (await import('./tools/terminal/watch.ts')).watch,
  simulate: async () => (await import('./tools/demo/simulate.ts')).simulate,
  key: async () => (await import('./tools/key/key.ts')).key,
  beacon: async () => (await import('./tools/beacon/beacon.ts')).beacon,
  conformance: async () => (await import('./tools/conformance/conformance.ts')).conformance,
};

// A full disk or a closed pipe does not end the process: each write reports it to its own callback.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const [word = '', ...rest] = process.argv.slice(2);
const isHelp = word === 'help' && Object.hasOwn(CLIENTS, rest[0] ?? '');
const name = isHelp ? rest[0]! : word;
const isClient = Object.hasOwn(CLIENTS, name);

async function main(): Promise<void> {
  if (isClient) {
    const run = await (CLIENTS as Readonly<Record<string, () => Promise<ClientCommand>>>)[name]!();
    const { env: environment, stdout, stderr } = process;
    process.exitCode = await run(isHelp ? ['--help'] : rest, { version, environment, stdout, stderr });
  } else {
    const { runService } = await import('./command-line.ts');
    await runService(version);
  }
}

function fail(error: unknown): never {
  // Help and version are printed.
  if (error instanceof Error && 'exitCode' in error && error.exitCode === 0) process.exit(0);
  const { message, name: kind } = error as Error;
  const isUsage = kind === 'UsageError';
  const hint = isUsage && !message.endsWith('?') ? `; see gsls ${isClient ? `${name} ` : ''}--help` : '';
  process.stderr.write(`gsls: ${message.replaceAll(/[\s\p{Cc}]+/gu, ' ')}${hint}\n`);
  process.exit(isUsage ? 2 : 1);
}

void main().catch(fail);

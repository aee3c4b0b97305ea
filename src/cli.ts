#!/usr/bin/env node
/**
 * The entry of the program: runs a command with the configuration from flags and variables, and turns its outcome into
 * an exit code. Only this file and src/cli read `process` and print.
 */

import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { createProgram } from './cli/command-line.ts';
import { createConfig, type Config, type Flags } from './config/config.ts';
import { UsageError } from './config/option.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

function configFrom(flags: Flags): Config {
  return createConfig({
    flags,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}

// Each command loads its own part of the program: a health check or a complaint takes a quarter of the time so.
const program = createProgram(version, {
  serve: async (flags) => {
    const config = configFrom(flags);
    if (config.workers === 1) {
      const { serve } = await import('./cli/serve.ts');
      return serve(config, version);
    }
    const { serveWithWorkers } = await import('./cli/serve-with-workers.ts');
    return serveWithWorkers(config, version);
  },
  demo: async (flags, servers) => {
    const config = configFrom(flags);
    const { demo } = await import('./cli/demo.ts');
    await demo(config, version, servers);
  },
  healthcheck: async (flags) => {
    const { checkHealth } = await import('./cli/healthcheck.ts');
    process.stdout.write(`${await checkHealth(configFrom(flags))}\n`);
  },
  reset: async (flags, isConfirmed) => {
    const config = configFrom(flags);
    const { reset } = await import('./cli/reset.ts');
    await reset(config, isConfirmed);
  },
  ban: async (flags, command, banFlags) => {
    const { ban, refuseFlagsOfService } = await import('./cli/ban.ts');
    refuseFlagsOfService(flags);
    process.stdout.write(await ban(command, banFlags, configFrom(flags), process.env['USER']));
  },
});

// A full disk or a closed pipe does not end the process: each write reports it to its own callback.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  const { message } = error as Error;
  const isUsage = error instanceof UsageError;
  const hint = isUsage && !message.endsWith('?') ? '; see gsls --help' : '';
  process.stderr.write(`gsls: ${message.replaceAll(/[\s\p{Cc}]+/gu, ' ')}${hint}\n`);
  process.exit(isUsage ? 2 : 1);
}

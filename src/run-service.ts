/** The commands of the service: what the words of the command line and the variables ask for. */

import { readFileSync } from 'node:fs';
import { createConfig, type Config, type Flags } from './service/config/config.ts';
import { createProgram } from './command-line.ts';

/** Rejects with a UsageError or an Error of one line, or with a CommanderError once help or version is printed. */
export async function runService(version: string): Promise<void> {
  const program = createProgram(version, {
    serve: async (flags) => {
      const config = configFrom(flags);
      if (config.workers === 1) {
        const { serve } = await import('./service/commands/serve.ts');
        return serve(config, version);
      }
      // The primary owns the others and answers no request; node:cluster starts each worker with the same words.
      const { default: cluster } = await import('node:cluster');
      if (cluster.isPrimary)
        return (await import('./service/commands/primary.ts')).runPrimary(config, version);
      return (await import('./service/commands/worker.ts')).runWorker(config, version);
    },
    demo: async (flags, servers) => {
      const config = configFrom(flags);
      const { demo } = await import('./tools/demo/demo.ts');
      await demo(config, version, servers);
    },
    healthcheck: async (flags) => {
      const { checkHealth } = await import('./service/commands/healthcheck.ts');
      process.stdout.write(`${await checkHealth(configFrom(flags))}\n`);
    },
    reset: async (flags, isConfirmed) => {
      const config = configFrom(flags);
      const { reset } = await import('./service/commands/reset.ts');
      await reset(config, isConfirmed);
    },
    ban: async (flags, command, banFlags) => {
      const { ban, refuseFlagsOfService } = await import('./tools/ban/ban.ts');
      refuseFlagsOfService(flags);
      process.stdout.write(await ban(command, banFlags, configFrom(flags), process.env['USER']));
    },
  });
  await program.parseAsync();
}

function configFrom(flags: Flags): Config {
  return createConfig({
    flags,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}

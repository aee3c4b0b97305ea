/** `gsls reset`: asks for confirmation, then takes all game servers off a registry in Redis and tells how many. */

import { createInterface } from 'node:readline/promises';
import { counted } from '../../model/counted.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { openForReset } from '../reset-registry.ts';

/** Rejects with an Error of one line, a UsageError when it cannot be done as it was asked for. */
export async function reset(config: Config, isConfirmed: boolean): Promise<void> {
  if (config.redisAddress === undefined)
    throw new UsageError('reset needs --redis: a registry in memory ends with its process');
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  if (!isConfirmed && !canAsk)
    throw new UsageError('reset asks for confirmation: add --yes where there is no terminal to ask on');
  const registry = await openForReset(config, config.redisAddress);
  try {
    const question = `Remove all ${await registry.count()} game servers from ${registry.name}? Type yes: `;
    if (!isConfirmed && !(await ask(question))) {
      process.stdout.write('nothing was changed\n');
      return;
    }
    let removed = 0;
    await registry.reset((soFar) => {
      removed = soFar;
      if (process.stderr.isTTY) process.stderr.write(`\rremoved ${removed}`);
    });
    if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
    process.stdout.write(`removed ${counted(removed, 'game server')} from ${registry.name}\n`);
  } finally {
    await registry.close();
  }
}

const CLEAR_LINE = '\r\u001B[K';

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

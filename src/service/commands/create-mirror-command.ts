/** The words of `gsls mirror`: the options of a mirror by short names, beside those of `gsls`. */

import type { Command } from 'commander';
import { UsageError } from '../../runtime/usage-error.ts';
import type { Flags } from '../config/layers.ts';
import { OPTIONS } from '../config/options.ts';
import { createCommand, createOption } from './create-command.ts';

/** No line is longer than 80 columns. */
const EXAMPLES = `
Examples:
  gsls mirror --of eu=https://eu.example.com --of us=https://us.example.com
  gsls mirror --of https://list.example.com --keep list.gsls --port 8080
`;

/** `action` gets the flags that are given to the command itself. */
export function createMirrorCommand(action: (flags: Flags) => Promise<void>): Command {
  const command = createCommand(
    'mirror',
    'hand out the lists of other registries as one; it takes no writes, and needs no Redis',
  )
    .summary('hand out the lists of other registries as one')
    .usage('--of <[name=]url> … [--keep <path>] [options of gsls]')
    .addOption(createOption('mirrors', { ...OPTIONS.mirrors, flag: '--of' }))
    .addOption(createOption('mirrorKeep', { ...OPTIONS.mirrorKeep, flag: '--keep' }))
    .addHelpText('after', EXAMPLES)
    .action(() => {
      const flags = command.opts<Flags>();
      const isNamed = flags.mirrors !== undefined || Boolean(process.env[OPTIONS.mirrors.variable]);
      if (!isNamed)
        throw new UsageError('gsls mirror needs --of, the URL of a registry whose list it hands out');
      return action(flags);
    });
  return command;
}

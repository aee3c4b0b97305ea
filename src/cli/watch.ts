/** `gsls watch`. */

import type { ClientCommand } from './client-command.ts';
import { createCommand } from './create-command.ts';

/** Its words and its exit code are those of a ClientCommand. */
export const watch: ClientCommand = async (args, { stdout }) => {
  const command = createCommand('gsls watch', 'not there yet').configureOutput({
    writeOut: (text) => void stdout.write(text),
  });
  await command.parseAsync(args, { from: 'user' });
  return 0;
};

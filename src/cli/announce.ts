/** `gsls announce`. */

import type { ClientCommand } from './client-command.ts';
import { createCommand } from './create-command.ts';

/** Its words and its exit code are those of a ClientCommand. */
export const announce: ClientCommand = async (args, { stdout }) => {
  const command = createCommand('gsls announce', 'not there yet').configureOutput({
    writeOut: (text) => void stdout.write(text),
  });
  await command.parseAsync(args, { from: 'user' });
  return 0;
};

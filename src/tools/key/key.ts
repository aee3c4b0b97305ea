/** `gsls key new`: makes a key, and the line of the configuration file that lets it in. Changes no file. */

import { randomBytes } from 'node:crypto';
import { Document, isMap, isSeq } from 'yaml';
import { SCOPES, sha256Of } from '../../api/http/key-ring.ts';
import { createCommand } from '../../service/commands/create-command.ts';
import { parseConfigFile } from '../../service/deployment/config-file.ts';
import { readKeys } from '../../service/deployment/keys-in-file.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import type { ClientCommand } from '../client-command.ts';

const EXAMPLES = `
Examples:
  gsls key new --name launcher --may read
  gsls key new --name "racer servers" --may announce --registries racer
  gsls key new --name ada --may read,moderate --until 2027-12-31
`;

interface KeyFlags {
  readonly name: string;
  readonly may: string;
  readonly registries?: string;
  readonly until?: string;
  readonly json?: true;
}

const KEY_BYTES = 32;

export const key: ClientCommand = async (args, { stdout }) => {
  const command = createCommand('gsls key', 'keys for the configuration file of a service');
  const create = createCommand('new', 'make a key, which is printed once, and its line for the file')
    .requiredOption('--name <name>', 'how audit, log and metrics name it')
    .requiredOption('--may <scopes>', `what it may do: ${SCOPES.join(', ')}, separated by commas`)
    .option('--registries <names>', 'the registries that it is for (default: all)')
    .option('--until <day>', 'the day on which it ends, as in 2027-01-31 (default: never)')
    .option('--json', 'one line of JSON, for programs')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ writeOut: (text) => void stdout.write(text) })
    .action((flags: KeyFlags) => void stdout.write(newKey(flags)));
  command.configureOutput({ writeOut: (text) => void stdout.write(text) }).addCommand(create);
  await command.parseAsync(args, { from: 'user' });
  return 0;
};

function newKey({ name, may, registries, until, json }: KeyFlags): string {
  const text = `gsls_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const fields = {
    name,
    sha256: sha256Of(text),
    may: may.split(','),
    ...(registries !== undefined && { registries: registries.split(',') }),
    ...(until !== undefined && { until }),
  };
  // What the file would refuse is refused here.
  const { keys } = parseConfigFile('the key:', JSON.stringify({ keys: [fields] }));
  const { problems } = readKeys(keys, fields.registries, () => '');
  if (problems.length > 0) throw new UsageError(problems[0]!.replace(/^the key::\d+:\d+: (the key )?/, ''));
  if (json) return `${JSON.stringify({ key: text, line: fields })}\n`;
  const document = new Document([fields]);
  if (isSeq(document.contents) && isMap(document.contents.items[0])) document.contents.items[0].flow = true;
  const line = document.toString({ lineWidth: 0 }).trim();
  return `${text}\n\nIt is shown this once. Its line below keys: in the configuration file:\n\n  ${line}\n`;
}

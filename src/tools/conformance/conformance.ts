/** `gsls conformance`: judges a client of GSLS by what it does on the wire, scene by scene. */

import { UsageError } from '../../runtime/usage-error.ts';
import type { ClientCommand, CommandContext } from '../client-command.ts';
import { createCommand } from '../../service/commands/create-command.ts';

const EXAMPLES = `
The command starts a small program around the client, which is told what to do
in lines of JSON: docs/write-a-client.md says how.

Exit codes: 0 all scenes that concern the client passed, 1 one did not, 2 called
wrongly.

Examples:
  gsls conformance -- python3 clients/python/conformance.py
  gsls conformance --scenes plain-life,silence -- ./my-client
  gsls conformance --real -- ./my-client
  gsls conformance --json -- ./my-client > verdicts.json
  gsls conformance --list
`;

interface ConformanceFlags {
  readonly scenes: string;
  readonly list?: true;
  readonly json?: true;
  readonly real?: true;
}

type Run = typeof judgeClient;

/** Its words and its exit code are those of a ClientCommand. `run`: what it does once its words are understood. */
export const createConformanceCommand =
  (run: Run): ClientCommand =>
  async (args, context) => {
    let code = 0;
    const command = createCommand('gsls conformance', 'judge a client by what it does on the wire')
      .argument('[command...]', 'the program around the client, after --')
      .option('--scenes <names>', 'these scenes, separated by commas, or all', 'all')
      .option('--list', 'print the scenes with their rules')
      .option('--json', 'for programs')
      .option('--real', 'the short scenes, on the wall clock: the client needs no clock of the kit')
      .addHelpText('after', EXAMPLES)
      .configureOutput({ writeOut: (text) => void context.stdout.write(text) })
      .action(async (words: readonly string[], flags: ConformanceFlags) => {
        code = await run(words, flags, context);
      });
    await command.parseAsync(args, { from: 'user' });
    return code;
  };

export const conformance = createConformanceCommand(judgeClient);

async function judgeClient(
  command: readonly string[],
  flags: ConformanceFlags,
  { stdout }: CommandContext,
): Promise<number> {
  const { SCENES } = await import('./scenes/scenes.ts');
  const { verdictsAsJson, listJsonOf, listOf, summaryOf, verdictAsText } = await import('./report.ts');
  const scenes = await chosenOf(SCENES, flags.scenes);
  if (flags.list) {
    stdout.write(flags.json ? listJsonOf(scenes) : listOf(scenes));
    return 0;
  }
  if (command.length === 0)
    throw new UsageError('gsls conformance needs the command of a client, after --: -- python3 my_client.py');
  const { availableParallelism } = await import('node:os');
  const { judge, NoClientProgram } = await import('./judge.ts');
  const judged = judge({
    command,
    scenes,
    isReal: flags.real ?? false,
    atOnce: 2 * availableParallelism(),
    onVerdict: (verdict) => {
      if (!flags.json) stdout.write(verdictAsText(verdict));
    },
  });
  const { client, verdicts } = await judged.catch((error: unknown) => {
    throw error instanceof NoClientProgram ? new UsageError(error.message) : error;
  });
  stdout.write(flags.json ? verdictsAsJson(client, verdicts) : summaryOf(client, verdicts));
  return verdicts.some(({ result }) => result === 'failed') ? 1 : 0;
}

/** Throws a UsageError for a name that no scene has. */
async function chosenOf<S extends { readonly name: string }>(
  scenes: readonly S[],
  text: string,
): Promise<readonly S[]> {
  if (text === 'all') return scenes;
  const names = text.split(',').map((name) => name.trim());
  const known = scenes.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const { didYouMean } = await import('../../model/did-you-mean.ts');
    throw new UsageError(`--scenes: there is no scene "${unknown}"${didYouMean(unknown, known)}`);
  }
  return scenes.filter(({ name }) => names.includes(name));
}

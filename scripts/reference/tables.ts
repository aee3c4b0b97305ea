/** The pages of the options, of the errors and of the metrics, from their tables in the code. */

import { ERRORS, type ErrorCode } from '../../src/model/errors.ts';
import type { OptionDefinition } from '../../src/service/config/option.ts';
import { OPTIONS } from '../../src/service/config/options.ts';
import { createMetrics } from '../../src/service/metrics/create-metrics.ts';
import { primaryFamilies } from '../../src/service/workers/primary-families.ts';
import { emptyRegistry } from '../../test/support/metrics.ts';
import { grouped, list, page, plain } from './page.ts';

const ABOUT_OPTIONS = `The variable of \`--max-body\` is \`GSLS_MAX_BODY\`, and so on. A flag wins over its variable, and an empty variable counts as unset. An unknown flag, or an unknown variable that begins with \`GSLS_\`, is an error at the start. \`gsls help options\` shows the same options, \`gsls --help\` the few that most people need. The default stands in brackets.

All replicas of a registry need the same \`--ttl\`, the same keys and the same \`--unique-address\`. The files of \`--key-file\` and \`--admin-key-file\` are [read again](../public-service.md#change-keys) when they change. All other files are read at the start only.`;

const ABOUT_METRICS = `\`GET /metrics\` shows these in the format of Prometheus, and those of the process and of Node beside them. [Observe](../observe.md#metrics) says where to ask. Metrics of Redis, of the data file and of workers are there where they are used. The numbers of several workers are added up, unless "highest" or "lowest" stands beside the type.`;

const ABOUT_ERRORS = `Programs match on the \`code\`, which never changes. The quoted text is for people, and an answer may say more. What follows it is what the [doctor](../api.md#doctor) tells the person who runs a game server, and then what the author of a client needs to know beyond that. [Game servers](../game-servers.md) and [operators](../troubleshoot.md) find there what to do step by step.`;

const TOGETHER: Readonly<Record<string, string>> = { sum: '', max: ', highest', min: ', lowest' };

export function renderOptions(): string {
  return page('Options', [
    ABOUT_OPTIONS,
    ...grouped(
      Object.values<OptionDefinition<unknown>>(OPTIONS),
      ({ group }) => group,
      (those) => [list(those.map(lineOf))],
    ),
  ]);
}

function lineOf(option: OptionDefinition<unknown>): string {
  const { flag, argument, variable, description, defaultText, default: value } = option;
  if (variable !== `GSLS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`)
    throw new Error(`${variable} is not named as ${flag}`);
  const shown = argument === undefined ? flag : `${flag} ${argument}`;
  const usual = value === false ? '' : ` [${plain(defaultText ?? `\`${String(value)}\``)}]`;
  return `\`${shown}\`: ${plain(description)}${usual}`;
}

export function renderErrors(): string {
  return page('Errors', [
    ABOUT_ERRORS,
    ...grouped(
      Object.entries<(typeof ERRORS)[ErrorCode] & { readonly forClients?: string }>(ERRORS).toSorted(
        ([, one], [, other]) => one.status - other.status,
      ),
      ([, { status }]) => String(status),
      (those) =>
        those.flatMap(([code, { message, says, nextStep, forClients }]) => [
          `### \`${code}\``,
          `> ${plain(message)}`,
          `${sentence(says)} ${sentence(nextStep)}`,
          ...(forClients === undefined ? [] : [forClients]),
        ]),
    ),
  ]);
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${plain(text.slice(1))}.`;
}

export async function renderMetrics(): Promise<string> {
  const ofReplica = await createMetrics({ hasRedis: true, hasDataFile: true, origins: ['eu'] }).families(
    emptyRegistry,
  );
  const ofPrimary = primaryFamilies({
    listening: 0,
    deaths: 0,
    startedAt: 0,
    cpu: { user: 0, system: 0 },
    memoryBytes: 0,
  });
  const lines = [...ofReplica, ...ofPrimary]
    .filter(({ name }) => name.startsWith('gsls_'))
    .map(
      ({ name, type, aggregator, help }) => `\`${name}\` (${type}${TOGETHER[aggregator]!}): ${plain(help)}`,
    );
  return page('Metrics', [ABOUT_METRICS, list(lines)]);
}

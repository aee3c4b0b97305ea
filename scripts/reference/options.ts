/** The page of the options, from their table. */

import type { OptionDefinition } from '../../src/config/option.ts';
import { OPTIONS } from '../../src/config/options.ts';
import { grouped, page, plain, table } from './page.ts';

const INTRODUCTION = `Each flag has a variable. A flag wins over its variable, and an empty variable counts as unset. An unknown flag, or an unknown variable that begins with \`GSLS_\`, is an error at the start. \`gsls help options\` shows the same options, \`gsls --help\` the few that most people need.

All replicas of a registry need the same \`--ttl\`, the same keys and the same \`--unique-address\`. The files of \`--key-file\` and \`--admin-key-file\` are [read again](../public-service.md#change-keys) when they change. All other files, those with passwords for Redis too, are read at the start only.`;

export function renderOptions(): string {
  const options = Object.values<OptionDefinition<unknown>>(OPTIONS);
  return page('Options', [
    INTRODUCTION,
    ...grouped(
      options,
      ({ group }) => group,
      (those) => [table(['Flag', 'Variable', 'Default', 'Meaning'], those.map(rowOf))],
    ),
  ]);
}

function rowOf(option: OptionDefinition<unknown>): readonly string[] {
  const { flag, argument, variable, description, defaultText, default: value } = option;
  const shown = argument === undefined ? flag : `${flag} ${argument}`;
  return [
    `\`${shown}\``,
    `\`${variable}\``,
    plain(defaultText ?? `\`${String(value)}\``),
    plain(description),
  ];
}

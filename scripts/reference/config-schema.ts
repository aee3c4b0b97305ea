/** The schema of the configuration file, from the table of options: editors check a file by it. */

import { format, resolveConfig } from 'prettier';
import { SCOPES } from '../../src/api/http/key-ring.ts';
import type { OptionDefinition } from '../../src/service/config/option.ts';
import { OPTIONS } from '../../src/service/config/options.ts';

const NUMBERS = ['<port>', '<count>', '<number>', '<seconds>', '<bytes>', '<ms>'];
const TEXTS = { type: ['string', 'array'], items: { type: 'string' } };

type Table = Readonly<Record<string, object>>;

function schemaOf({ argument, description, defaultText, default: value }: OptionDefinition<unknown>): object {
  const initial = defaultText ?? String(value);
  const told = { description: `${description} (default: ${initial})` };
  if (argument === undefined) return { type: 'boolean', ...told };
  if (NUMBERS.includes(argument)) return { type: ['integer', 'string'], ...told };
  return {
    type: ['string', 'number', 'array', 'object'],
    items: { type: ['string', 'number'] },
    additionalProperties: { type: 'string' },
    ...told,
  };
}

function tableOf(isIn: (name: string, definition: OptionDefinition<unknown>) => boolean): Table {
  const rows = Object.entries<OptionDefinition<unknown>>(OPTIONS).filter(([name, row]) => isIn(name, row));
  return Object.fromEntries(rows.map(([, row]) => [row.flag.slice(2), schemaOf(row)]));
}

/** The schema as text. */
export async function renderConfigSchema(): Promise<string> {
  const registry = {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'where it is on every host that is not a registry’s own: /racer' },
      hosts: { ...TEXTS, description: 'the hosts that are its own, without a port' },
      title: { type: 'string', description: 'the title of its page' },
      'redis-name': {
        type: 'string',
        description: 'its name in Redis, if it has another one there; empty for the registry that has none',
      },
      details: {
        type: 'object',
        additionalProperties: false,
        properties: { require: { ...TEXTS, description: 'the details that a game server has to send' } },
      },
      ...tableOf((_, { scope }) => scope === 'registry'),
    },
  };
  const key = {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'may'],
    properties: {
      name: { type: 'string', description: 'how audit, log and metrics name it' },
      sha256: { type: 'string', pattern: '^[0-9a-fA-F]{64}$', description: 'the SHA-256 of the key' },
      file: { type: 'string', description: 'a file that holds the key' },
      may: { type: ['string', 'array'], items: { enum: SCOPES }, description: 'what it may do' },
      registries: { ...TEXTS, description: 'the registries that it is for (default: all)' },
      until: { type: 'string', description: 'the day on which it ends, as in 2027-01-31 (default: never)' },
    },
  };
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The configuration file of GSLS',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      registries: { type: 'object', additionalProperties: registry },
      keys: { type: 'array', items: key },
      ...tableOf((name) => name !== 'config'),
    },
  };
  return format(JSON.stringify(schema), { ...(await resolveConfig(import.meta.url)), parser: 'json' });
}

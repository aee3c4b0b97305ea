/**
 * The configuration file, which names options by their long names. It becomes layers of texts, as flags and variables
 * do. What the texts mean is for the parsers of the options.
 */

import { dirname, resolve } from 'node:path';
import { OPTION_NAMES, type Given, type OptionLayer, type OptionName } from '../config/layers.ts';
import type { OptionScope } from '../config/option.ts';
import { OPTIONS } from '../config/options.ts';
import { YamlFile, type Entry, type Placed, type Section } from './yaml-file.ts';

export interface ConfigFile {
  /** The options of the process, and those of registries that have no value of their own. */
  readonly top: OptionLayer;
  /** Undefined where the file names none: then one registry is served. */
  readonly registries: readonly RegistryInFile[] | undefined;
  readonly keys: readonly KeyInFile[];
  /** What is wrong, a line each. */
  readonly problems: readonly string[];
}

export interface RegistryInFile {
  readonly name: Placed<string>;
  readonly path: Placed<string> | undefined;
  readonly hosts: Placed<readonly string[]> | undefined;
  /** Its name in Redis, where that is another one. */
  readonly redisName: Placed<string> | undefined;
  readonly options: OptionLayer;
  /** The schema of details that the file itself has. */
  readonly detailsSchema: unknown;
}

const KEY_FIELDS = ['name', 'sha256', 'file', 'may', 'registries', 'until'] as const;
type KeyField = (typeof KEY_FIELDS)[number];

/** A key, by its fields, with the place of each. */
export type KeyInFile = Readonly<Partial<Record<KeyField, Placed<readonly string[]>>>> & {
  readonly source: string;
};

/** What the top of a file has beside options, and what a registry has. */
const BESIDE_OPTIONS = ['$schema', 'registries', 'keys'];
const OF_REGISTRY = ['path', 'hosts', 'title', 'redis-name', 'details'];

/** The options by their long names, without the dashes. */
const BY_LONG_NAME = new Map(
  OPTION_NAMES.filter((name) => name !== 'config').map((name) => [OPTIONS[name].flag.slice(2), name]),
);

/** Never throws. `path`: as complaints name the file; paths in it begin at its folder. */
export function parseConfigFile(path: string, text: string): ConfigFile {
  const file = new YamlFile(path, text);
  const reader = new Reader(file, dirname(path));
  const [registries, keys] = [named(file.top, 'registries'), named(file.top, 'keys')];
  return {
    top: reader.options(without(file.top, BESIDE_OPTIONS), BESIDE_OPTIONS),
    registries: registries && reader.registries(registries),
    keys: keys === undefined ? [] : reader.keys(keys),
    problems: file.problems,
  };
}

class Reader {
  readonly #file: YamlFile;
  readonly #folder: string;

  constructor(file: YamlFile, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  registries(entry: Entry): readonly RegistryInFile[] {
    const all = this.#file.section(
      entry,
      'must have registries by their names, as in racer: { path: /racer }',
    );
    return (all ?? []).flatMap((registry) => {
      const own = this.#file.isEmpty(registry)
        ? []
        : this.#file.section(registry, 'must have options, as in { path: /racer }');
      if (own === undefined) return [];
      const [title, details] = [named(own, 'title'), named(own, 'details')];
      const titled = title === undefined ? [] : [{ ...title, name: 'page-title' }];
      return {
        name: { value: registry.name, source: registry.source },
        path: this.#file.one(named(own, 'path')),
        hosts: this.#file.many(named(own, 'hosts')),
        redisName: this.#file.one(named(own, 'redis-name')),
        options: this.options([...without(own, OF_REGISTRY), ...titled], OF_REGISTRY, 'registry'),
        detailsSchema: details && this.#required(details),
      };
    });
  }

  keys(entry: Entry): readonly KeyInFile[] {
    return this.#file.sections(entry, 'must be as gsls key new prints it').map(({ value, source }) => {
      const key: Partial<Record<KeyField, Placed<readonly string[]>>> = {};
      for (const each of value) {
        const field = KEY_FIELDS.find((one) => one === each.name);
        if (field === undefined) this.#file.refuseUnknown(each, KEY_FIELDS, 'a key has no');
        else Object.assign(key, { [field]: this.#file.many(each) });
      }
      const { file } = key;
      return { ...key, ...(file && { file: this.#resolved(file) }), source: `${source} the key` };
    });
  }

  /** `beside`: the other names that may stand there. `scope`: whose options alone these may be. */
  options(section: Section, beside: readonly string[], scope?: OptionScope): OptionLayer {
    const layer: Partial<Record<OptionName, Given>> = {};
    const isHere = (name: OptionName): boolean => scope === undefined || OPTIONS[name].scope === scope;
    for (const entry of section) {
      const name = BY_LONG_NAME.get(entry.name);
      if (name === undefined) {
        const known = [...BY_LONG_NAME].flatMap(([word, each]) => (isHere(each) ? word : []));
        this.#file.refuseUnknown(entry, [...known, ...beside], 'there is no option');
      } else if (!isHere(name))
        this.#file.problems.push(
          `${entry.source} is of the whole process: it belongs to the top of the file`,
        );
      else {
        const texts = this.#texts(entry, name);
        if (texts !== undefined) layer[name] = { by: 'file', texts, source: entry.source };
      }
    }
    return layer;
  }

  #texts(entry: Entry, name: OptionName): readonly string[] | undefined {
    const { argument, repeatable }: (typeof OPTIONS)[OptionName] & { repeatable?: true } = OPTIONS[name];
    const isSection = this.#file.isSection(entry);
    if (isSection && argument === '<json>') return [JSON.stringify(this.#file.tree(entry))];
    const said = isSection ? this.#file.pairs(entry) : this.#file.many(entry);
    if (said === undefined) return undefined;
    const isPath = argument === '<path>' || argument === '<file>';
    const { value: texts } = isPath ? this.#resolved(said) : said;
    if (repeatable) return texts;
    return [texts.length === 0 ? 'none' : texts.join(',')];
  }

  /** `{ require: [version] }` is a schema in short. */
  #required(entry: Entry): unknown {
    const complaint = 'must be like { require: [version] }';
    const section = this.#file.section(entry, complaint);
    const required = section?.length === 1 ? this.#file.many(named(section, 'require')) : undefined;
    if (section !== undefined && required === undefined)
      this.#file.problems.push(`${entry.source} ${complaint}`);
    return { type: 'object', required: required?.value ?? [] };
  }

  #resolved({ value, source }: Placed<readonly string[]>): Placed<readonly string[]> {
    return { value: value.map((path) => (path === '' ? path : resolve(this.#folder, path))), source };
  }
}

function named(section: Section, name: string): Entry | undefined {
  return section.find((entry) => entry.name === name);
}

function without(section: Section, names: readonly string[]): Section {
  return section.filter(({ name }) => !names.includes(name));
}

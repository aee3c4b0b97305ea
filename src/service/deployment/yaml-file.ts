/**
 * A file of YAML, and so of JSON, as sections of named entries. Knows where in the file each stands, and gathers what
 * is wrong with them. Knows no option.
 */

import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type YAMLMap } from 'yaml';
import { didYouMean } from '../../model/did-you-mean.ts';

/** A value of the file, and the beginning of a complaint about it. */
export interface Placed<T> {
  readonly value: T;
  readonly source: string;
}

export interface Entry {
  readonly name: string;
  /** The beginning of a complaint about the entry: its place, and its name. */
  readonly source: string;
  readonly node: Node | null;
  readonly place: string;
}

export type Section = readonly Entry[];

const LONGEST_CHARACTERS = 16 * 1024 * 1024;

export class YamlFile {
  /** A line each, in the order in which they were found. */
  readonly problems: string[] = [];
  /** The entries of the file itself. */
  readonly top: Section;
  readonly #lines = new LineCounter();
  readonly #path: string;

  /** `path`: as complaints name the file. */
  constructor(path: string, text: string) {
    this.#path = path;
    this.top = this.#read(text);
  }

  /** The section that is the value of an entry. Complains of anything else. */
  section({ node, source }: Entry, complaint: string): Section | undefined {
    if (isMap(node)) return this.#entries(node as YAMLMap<Node, Node | null>);
    this.problems.push(`${source} ${complaint}`);
    return undefined;
  }

  /** The sections of a list. */
  sections({ node, source }: Entry, complaint: string): readonly Placed<Section>[] {
    if (!isSeq(node)) {
      this.problems.push(`${source} ${complaint}`);
      return [];
    }
    return (node.items as Node[]).flatMap((item) => {
      const place = this.#place(item);
      const value = this.section({ name: '', source: place, node: item, place }, complaint);
      return value === undefined ? [] : { value, source: place };
    });
  }

  one(entry: Entry | undefined): Placed<string> | undefined {
    const all = this.many(entry);
    if (all === undefined) return undefined;
    const [value, ...others] = all.value;
    if (value !== undefined && others.length === 0) return { value, source: all.source };
    this.problems.push(`${all.source} must be one text`);
    return undefined;
  }

  /** A text, or a list of them. */
  many(entry: Entry | undefined): Placed<readonly string[]> | undefined {
    if (entry === undefined) return undefined;
    const { node, source } = entry;
    const texts = (isSeq(node) ? (node.items as (Node | null)[]) : [node]).map(textOf);
    if (texts.every((text) => text !== undefined)) return { value: texts, source };
    this.problems.push(
      node === null || (isScalar(node) && node.value === null)
        ? `${source} has no value: leave it out`
        : `${source} must be a text, or a list of them`,
    );
    return undefined;
  }

  /** The texts of a section by their names, as flags write them: `eu=Europe,us=America`. */
  pairs(entry: Entry): Placed<readonly string[]> | undefined {
    const section = this.section(entry, 'must have names and texts');
    const pairs = section?.map((each) => [each.name, this.one(each)?.value] as const);
    if (pairs === undefined || pairs.some(([, text]) => text === undefined)) return undefined;
    return { value: [pairs.map(([name, text]) => `${name}=${text}`).join(',')], source: entry.source };
  }

  /** The section with all that is in it: texts by their names, and further sections. */
  tree(entry: Entry): unknown {
    if (!isMap(entry.node)) return this.one(entry)?.value;
    const section = this.section(entry, 'must have names') ?? [];
    return Object.fromEntries(section.map((each) => [each.name, this.tree(each)]));
  }

  isEmpty({ node }: Entry): boolean {
    return node === null || (isScalar(node) && node.value === null);
  }

  isSection({ node }: Entry): boolean {
    return isMap(node);
  }

  /** `what`: as in "there is no option". */
  refuseUnknown({ place, name }: Entry, known: readonly string[], what: string): void {
    this.problems.push(`${place} ${what} ${name}${didYouMean(name, known)}`);
  }

  #read(text: string): Section {
    if (text.length > LONGEST_CHARACTERS) {
      this.problems.push(`${this.#path}: the file is longer than ${LONGEST_CHARACTERS} characters`);
      return [];
    }
    const { errors, contents } = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    for (const { pos, message } of errors)
      this.problems.push(`${this.#at(pos[0])} ${message.replaceAll(/\s+/g, ' ')}`);
    if (errors.length > 0 || contents === null) return [];
    if (isMap(contents)) return this.#entries(contents);
    this.problems.push(`${this.#at(0)} the file must have options, as in port: 53600`);
    return [];
  }

  #entries(map: YAMLMap<Node, Node | null>): Section {
    return map.items.flatMap(({ key, value }) => {
      const [name, place] = [textOf(key), this.#place(key)];
      if (name !== undefined) return { name, place, source: `${place} ${name}`, node: value };
      this.problems.push(`${place} must be a name`);
      return [];
    });
  }

  #place(node: Node | null): string {
    return this.#at(node?.range?.[0] ?? 0);
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#path}:${Math.max(line, 1)}:${Math.max(col, 1)}:`;
  }
}

/** The text as it was written; undefined for what is none. */
function textOf(node: Node | null): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? JSON.stringify(node.value));
}

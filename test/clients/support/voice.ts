/** The sentences that docs/write-a-client.md lists: all that a client of ours may say. */

import { readDocument } from '../../support/markdown.ts';

const SECTION = /### What it tells\n(.*?)\n##/s;
/** The parts of a sentence that a client fills in; any other is a text. */
const PARTS: Readonly<Record<string, string>> = {
  n: '\\d+',
  status: '\\d{3}',
  request: '(?:broadcast|ping|remove|query)',
};
const NEXT = / <next>$/;
const FOLLOWS = /^(?:The next|A new broadcast|The entry)/;

const sentences = [
  ...SECTION.exec(readDocument('docs/write-a-client.md'))![1]!.matchAll(/`([A-Z][^`]*)`/g),
].map(([, sentence]) => sentence!);
const patternOf = (sentence: string): string =>
  sentence
    .replace(NEXT, '')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/<(\w+)>/g, (_, part: string) => PARTS[part] ?? '.+')
    .replaceAll('.+\\.', '.+[.?!]');
const isNext = (sentence: string): boolean => FOLLOWS.test(sentence);
const heads = sentences.filter((sentence) => !isNext(sentence)).map(patternOf);
const nexts = sentences.filter(isNext).map(patternOf);
const LINE = new RegExp(`^(?:${heads.join('|')})(?: (?:${nexts.join('|')}))?$`);

/** Whether the line is one of the sentences. */
export const isInVoice = (line: string): boolean => LINE.test(line);

/** Parameters as words, and what is read by them from a service. */

import { expect } from 'chai';
import type { Ask } from '../../../clients/typescript/src/ask.ts';
import { queryOfWords, takeParameter } from '../../../src/tools/terminal/parameters.ts';
import { readServers } from '../../../src/tools/terminal/read-servers.ts';
import { aServer } from './a-server.ts';

describe('parameters as words', () => {
  it('are a query string, with what no URL can have percent-encoded', () => {
    expect(queryOfWords(['region=eu', 'map=de_*,cs_*', 'players=1..'])).to.equal(
      'region=eu&map=de_*,cs_*&players=1..',
    );
    expect(queryOfWords(['?region=eu&full=false'])).to.equal('region=eu&full=false');
    expect(queryOfWords(['name=100% fun #1', 'q=夜 猫', 'map=a%2Cb'])).to.equal(
      'name=100%25%20fun%20%231&q=%E5%A4%9C%20%E7%8C%AB&map=a%2Cb',
    );
    expect(queryOfWords([])).to.equal('');
  });

  it('need a name and a value', () => {
    for (const word of ['eu', '=eu', '--region'])
      expect(() => queryOfWords([word])).to.throw(`"${word}" is no parameter: write it like region=eu`);
  });

  it('can be taken out by name', () => {
    expect(takeParameter('a=1&limit=5&b=2', 'limit')).to.deep.equal({ value: '5', rest: 'a=1&b=2' });
    expect(takeParameter('a=1', 'limit')).to.deep.equal({ rest: 'a=1' });
  });
});

describe('the servers of a service', () => {
  const NAMES = Array.from({ length: 1203 }, (_, n) => `Server ${n}`);
  let paths: string[];
  /** A service whose cursor is how many servers were read before, with a sign that no URL has as it is. */
  const ask: Ask = async ({ path }) => {
    paths.push(path);
    const { searchParams } = new URL(path, 'http://localhost');
    const start = Number(searchParams.get('cursor')?.slice(1) ?? 0);
    const end = start + Number(searchParams.get('limit'));
    const body = {
      servers: NAMES.slice(start, end).map((name) => aServer({ name })),
      total: NAMES.length,
      next: end < NAMES.length ? `&${end}` : null,
    };
    const nothing = { text: '', code: undefined, reason: '', cause: undefined };
    return { ...nothing, status: 200, headers: new Headers(), body };
  };
  beforeEach(() => {
    paths = [];
  });

  const read = async (query: string, most: number): Promise<readonly string[]> => {
    const result = await readServers(ask, query, most, Date.now);
    if ('reason' in result) throw new Error(result.reason);
    expect(result).to.include({ total: NAMES.length, staleSince: undefined });
    return result.servers.map(({ name }) => name);
  };

  it('are read page by page, all of them or as many as are wanted', async () => {
    expect(await read('', Infinity)).to.deep.equal(NAMES);
    expect(await read('players=3', 1001)).to.deep.equal(NAMES.slice(0, 1001));
    expect(await read('', 7)).to.deep.equal(NAMES.slice(0, 7));
    expect(paths).to.deep.equal([
      '/servers?limit=1000',
      '/servers?cursor=%261000&limit=1000',
      '/servers?players=3&limit=1000',
      '/servers?players=3&cursor=%261000&limit=1',
      '/servers?limit=7',
    ]);
  });

  it('begin behind a cursor that is asked for', async () => {
    expect(await read('cursor=%261200', Infinity)).to.deep.equal(NAMES.slice(1200));
    expect(await read('cursor=%26100', 1003)).to.deep.equal(NAMES.slice(100, 1103));
  });
});

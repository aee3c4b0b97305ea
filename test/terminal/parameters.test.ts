/** Parameters as words, and what is read by them from a service. */

import { expect } from 'chai';
import { createAsk } from '../../src/client/ask.ts';
import { queryOf, takeParameter } from '../../src/terminal/parameters.ts';
import { readServers } from '../../src/terminal/read-servers.ts';
import { useService } from '../support/use-service.ts';

describe('parameters as words', () => {
  it('are a query string, with what no URL can have percent-encoded', () => {
    expect(queryOf(['region=eu', 'map=de_*,cs_*', 'players=1..'])).to.equal(
      'region=eu&map=de_*,cs_*&players=1..',
    );
    expect(queryOf(['?region=eu&full=false'])).to.equal('region=eu&full=false');
    expect(queryOf(['name=100% fun #1', 'q=夜 猫', 'map=a%2Cb'])).to.equal(
      'name=100%25%20fun%20%231&q=%E5%A4%9C%20%E7%8C%AB&map=a%2Cb',
    );
    expect(queryOf([])).to.equal('');
  });

  it('need a name and a value', () => {
    for (const word of ['eu', '=eu', '--region'])
      expect(() => queryOf([word])).to.throw(`"${word}" is no parameter: write it like region=eu`);
  });

  it('can be taken out by name', () => {
    expect(takeParameter('a=1&limit=5&b=2', 'limit')).to.deep.equal({ value: '5', rest: 'a=1&b=2' });
    expect(takeParameter('a=1', 'limit')).to.deep.equal({ rest: 'a=1' });
  });
});

describe('the servers of a service', () => {
  const service = useService();
  const ask = (): ReturnType<typeof createAsk> => createAsk({ url: service.url, fetch });
  const COUNT = 1203;

  before(async () => {
    for (let n = 0; n < COUNT; n += 1)
      await service.broadcast({ server_name: `Server ${n}`, server_port: 1000 + n });
  });

  it('are read page by page, all of them or as many as are wanted', async () => {
    const read = async (query: string, most: number): Promise<readonly string[]> => {
      const result = await readServers(ask(), query, most, Date.now);
      if ('reason' in result) throw new Error(result.reason);
      expect(result).to.include({ total: COUNT, staleSince: undefined });
      return result.servers.map(({ name }) => name);
    };
    const all = await read('', Infinity);
    expect(new Set(all)).to.have.length(COUNT);
    expect(all[1100]).to.equal('Server 1100');
    expect(await read('players=3', 1001)).to.have.length(1001);
    expect(await read('', 7)).to.deep.equal(all.slice(0, 7));
  });

  it('are refused where a parameter is wrong, with the words of the service', async () => {
    const result = await readServers(ask(), 'players_min=1', 10, Date.now);
    expect(result).to.include({ status: 400, code: 'invalid_query' });
    expect(result)
      .to.have.property('reason')
      .that.matches(/^players_min is not a parameter here/);
  });
});

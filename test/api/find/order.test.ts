import { expect } from 'chai';
import { parseOrder, type Order } from '../../../src/api/find/order.ts';
import { parsePageQuery } from '../../../src/api/find/page-query.ts';
import { Wrong } from '../../../src/model/query/parse-query.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { anEntry } from '../../support/builders.ts';

const orderOf = (text: string): Order => parseOrder(text) as Order;

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const text = (query: string): string => parsePageQuery(query).text;

const encode = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');

describe('an order', () => {
  it('has missing values last in both directions, and ends with registration and id', () => {
    const rows = [
      anEntry({ id: 'd', registeredVersion: 4, details: Details.of({ map: 'x' }) }),
      anEntry({ id: 'c', registeredVersion: 3 }),
      anEntry({ id: 'b', registeredVersion: 2, details: Details.of({ map: 'x' }) }),
      anEntry({ id: 'a', registeredVersion: 2, details: Details.of({ map: 'y' }) }),
    ];
    const sorted = (by: string): string =>
      rows
        .toSorted(orderOf(by).compare)
        .map(({ id }) => id)
        .join('');
    expect(sorted('map')).to.equal('bdac');
    expect(sorted('-map')).to.equal('abdc');
    expect(sorted('')).to.equal('abcd');
    expect(sorted('-registered_at')).to.equal('dcab');
    expect(sorted('-players,-id')).to.equal('dcba');
  });

  it('names up to four fields that there are', () => {
    expect(orderOf('-players,name,-players').text).to.equal('-players,name');
    for (const wrong of [
      'player',
      '-',
      ',',
      'name,',
      '--name',
      'tags',
      'id,ip,host,name,map',
      '__proto__',
      'meta.x',
      'q',
    ])
      expect(parseOrder(wrong), wrong).to.be.instanceOf(Wrong);
    expect((parseOrder('player') as Wrong).message).to.include('did you mean players?');
  });
});

describe('a cursor', () => {
  const row = anEntry({ id: 'i~d', name: 'é,"', registeredVersion: 2 ** 51, players: 7 });

  it('is the place of its entry in its order', () => {
    for (const sort of ['', 'name', '-players,map,-name', 'registered_at']) {
      const order = orderOf(sort);
      const place = order.parseCursor(order.cursorAfter(row));
      expect(order.isBehind(row, place)).to.equal(false);
      expect(order.isBehind(anEntry({ ...row, id: 'i~e' }), place)).to.equal(true);
      expect(order.isBehind(anEntry({ ...row, id: 'i~c' }), place)).to.equal(false);
    }
  });

  it('of another order, or damaged, is refused', () => {
    const order = orderOf('-players,map');
    const good = order.cursorAfter(row);
    const [sort, version, id] = ['-players,map', row.registeredVersion, row.id];
    expect(order.parseCursor(encode([sort, version, id, 7, null]))).to.include({ id });
    const damaged = [
      '',
      'x',
      '!',
      good.slice(1),
      good.slice(0, -2),
      `${good}=`,
      `${good} `,
      `${good}A`,
      'A'.repeat(5000),
      encode(null),
      encode({}),
      encode('x'),
      encode([]),
      encode([sort, version, id, 7]),
      encode([sort, version, id, 7, null, 1]),
      encode([sort, version, id, '7', null]),
      encode([sort, version, id, 7, 1]),
      encode([sort, String(version), id, 7, null]),
      encode([sort, 1.5, id, 7, null]),
      encode([sort, 1e300, id, 7, null]),
      encode([sort, version, 5, 7, null]),
      encode(['players,map', version, id, 7, null]),
      encode([sort, version, id, [7], null]),
      Buffer.from(`["${sort}", ${version},"${id}",7,null]`).toString('base64url'),
      Buffer.from(`["${sort}",${version},"${id}",1e999,null]`).toString('base64url'),
    ];
    for (const cursor of [...damaged, orderOf('').cursorAfter(row), orderOf('players').cursorAfter(row)])
      expect(
        codeOf(() => order.parseCursor(cursor)),
        cursor,
      ).to.equal('invalid_cursor');
  });
});

describe('a query for a page', () => {
  it('has one text for all that mean the same', () => {
    expect(text('limit=100')).to.equal('');
    expect(text('include=meta&limit=5&sort=-players&q=B+a')).to.equal(
      'q=a%20b&sort=-players&limit=5&include=meta',
    );
    expect(text('sort=-players&q=a+b&limit=5&include=meta')).to.equal(
      text('q=b&q=a&limit=5&include=meta&sort=-players'),
    );
    const cursor = orderOf('name').cursorAfter(anEntry());
    const { after, text: whole, textOfAll } = parsePageQuery(`cursor=${cursor}&sort=name&map=a`);
    expect([whole, textOfAll]).to.deep.equal([`map=a&sort=name&cursor=${cursor}`, 'map=a&sort=name']);
    expect(after).to.deep.equal({ registeredVersion: 10, id: 'id', values: ['A server'] });
  });

  it('with a wrong limit, sort or include is refused', () => {
    for (const limit of ['0', '1001', '-1', '1.5', '', 'ten', '1e2', '99999'])
      expect(
        codeOf(() => parsePageQuery(`limit=${limit}`)),
        limit,
      ).to.equal('invalid_query');
    expect(parsePageQuery('limit=1000').limit).to.equal(1000);
    for (const query of ['sort=', 'sort=x', 'include=', 'include=all', 'limit=1&limit=1', 'sort=x&cursor=y'])
      expect(
        codeOf(() => parsePageQuery(query)),
        query,
      ).to.equal('invalid_query');
    expect(codeOf(() => parsePageQuery('cursor='))).to.equal('invalid_cursor');
    expect(
      codeOf(() => parsePageQuery(`sort=-name&cursor=${orderOf('name').cursorAfter(anEntry())}`)),
    ).to.equal('invalid_cursor');
  });
});

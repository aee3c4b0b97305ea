import { expect } from 'chai';
import { Favourites, MOST_FAVOURITES, type Favourite } from '../../../src/page/favourites/favourites.ts';
import type { TextStorage } from '../../../src/page/favourites/kept.ts';
import { createMyRegions, MOST_REGIONS, toggleRegion } from '../../../src/page/favourites/my-regions.ts';
import { PAGE_DOCUMENT } from '../support/page-document.ts';

function aServer(given: Partial<Favourite> = {}): Favourite {
  return { id: 'a', host: 'eu1.example.com', port: 7777, ip: '203.0.113.7', name: 'Frankfurt', ...given };
}

function memory(text: string | null = null): TextStorage & { text: string | null } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

const blocked: TextStorage = {
  getItem() {
    throw new Error('blocked');
  },
  setItem() {
    throw new Error('blocked');
  },
};

/** The page of a registry at the root. */
function usePage(): void {
  before(
    () => void Object.assign(globalThis, { document: PAGE_DOCUMENT, location: { pathname: '/browse' } }),
  );
  after(() => {
    for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name);
  });
}

describe('favourites', () => {
  usePage();

  it('outlive the visit', () => {
    const storage = memory();
    new Favourites(storage).toggle(aServer());
    expect(new Favourites(storage).all).to.deep.equal([aServer()]);
  });

  it('end when they are toggled again', () => {
    const favourites = new Favourites(memory());
    favourites.toggle(aServer());
    favourites.toggle(aServer());
    expect(favourites.all).to.deep.equal([]);
  });

  it('remember nothing of a server beyond its address and name', () => {
    const storage = memory();
    new Favourites(storage).toggle({ ...aServer(), players: 5 } as Favourite);
    expect(JSON.parse(storage.text!)).to.deep.equal([aServer()]);
  });

  it('know a game server by its address when it has a new id', () => {
    const favourites = new Favourites(memory());
    favourites.toggle(aServer());
    expect(favourites.has(aServer({ id: 'b', name: 'New' }))).to.equal(true);
    expect(favourites.has(aServer({ id: 'b', port: 7778 }))).to.equal(false);
  });

  it('take over new ids and names', () => {
    const favourites = new Favourites(memory());
    favourites.toggle(aServer());
    favourites.update([aServer({ id: 'b', name: 'New' }), aServer({ id: 'c', port: 1 })]);
    expect(favourites.all).to.deep.equal([aServer({ id: 'b', name: 'New' })]);
  });

  it('stay with their id while it is listed, whatever else has their address', () => {
    const favourites = new Favourites(memory());
    favourites.toggle(aServer());
    favourites.update([aServer({ id: 'b', name: 'Copy' }), aServer()]);
    expect(favourites.all).to.deep.equal([aServer()]);
  });

  it('become one when they are the same server now', () => {
    const favourites = new Favourites(memory());
    favourites.toggle(aServer({ id: 'a' }));
    favourites.toggle(aServer({ id: 'b', port: 1 }));
    favourites.update([aServer({ id: 'b' })]);
    expect(favourites.all.map(({ id }) => id)).to.deep.equal(['b']);
  });

  it('that are unlisted are no listed server at the same address', () => {
    const favourites = new Favourites(memory());
    favourites.toggle(aServer({ id: '~a' }));
    expect(favourites.has(aServer())).to.equal(false);
    favourites.update([aServer({ id: 'b', name: 'Copy' })]);
    expect(favourites.all).to.deep.equal([aServer({ id: '~a' })]);
    favourites.update([aServer({ id: '~b' })]);
    expect(favourites.all).to.deep.equal([aServer({ id: '~b' })]);
  });

  it('last for the visit where the browser keeps nothing', () => {
    for (const storage of [undefined, blocked]) {
      const favourites = new Favourites(storage);
      favourites.toggle(aServer());
      expect(favourites.has(aServer())).to.equal(true);
    }
  });

  it('follow those of another tab', () => {
    const storage = memory();
    const [one, other] = [new Favourites(storage), new Favourites(storage)];
    let calls = 0;
    other.subscribe(() => (calls += 1));
    one.toggle(aServer());
    other.follow('something else');
    expect(calls).to.equal(0);
    other.follow('gsls-favourites');
    expect(other.all).to.deep.equal([aServer()]);
    expect(calls).to.equal(1);
  });

  it('are none where the storage holds something else', () => {
    for (const text of ['', '{', 'null', '{}', '[1,null,{}]', '[{"id":1}]'])
      expect(new Favourites(memory(text)).all, text).to.deep.equal([]);
  });

  it('are so many and no more', () => {
    const favourites = new Favourites(memory());
    for (let port = 1; port <= MOST_FAVOURITES + 1; port += 1)
      favourites.toggle(aServer({ id: `id-${port}`, port }));
    expect(favourites.all).to.have.length(MOST_FAVOURITES);
    expect(favourites.isFull).to.equal(true);
    favourites.toggle(aServer({ id: 'id-1', port: 1 }));
    expect(favourites.isFull).to.equal(false);
  });
});

describe('the regions that a reader plays in', () => {
  usePage();

  it('outlive the visit, until they are chosen no longer', () => {
    const storage = memory();
    expect(createMyRegions(storage).value, 'before a choice').to.equal(undefined);
    for (const region of ['eu', 'na', 'eu']) toggleRegion(createMyRegions(storage), region);
    expect(createMyRegions(storage).value).to.deep.equal(['na']);
    toggleRegion(createMyRegions(storage), 'na');
    expect(createMyRegions(storage).value, 'a choice of none').to.deep.equal([]);
  });

  it('are what is a text of whatever the storage holds', () => {
    for (const text of ['', '{', 'null', '{}', '5', '"eu"'])
      expect(createMyRegions(memory(text)).value, text).to.equal(undefined);
    expect(createMyRegions(memory('[1,null,{},["eu"]]')).value).to.deep.equal([]);
    const hostile = ['<b>', '\u202e', 'x'.repeat(100_000)];
    expect(createMyRegions(memory(JSON.stringify([...hostile, 7, '<b>']))).value).to.deep.equal(hostile);
  });

  it('are so many and no more', () => {
    const many = Array.from({ length: MOST_REGIONS + 9 }, (_, n) => `region ${n}`);
    const regions = createMyRegions(memory(JSON.stringify(many)));
    toggleRegion(regions, 'one more');
    expect(regions.value).to.deep.equal(many.slice(0, MOST_REGIONS));
    toggleRegion(regions, 'region 0');
    toggleRegion(regions, 'one more');
    expect(regions.value!.at(-1)).to.equal('one more');
  });

  it('follow those of another tab', () => {
    const storage = memory();
    const regions = createMyRegions(storage);
    toggleRegion(createMyRegions(storage), 'eu');
    regions.follow('something else');
    expect(regions.value).to.equal(undefined);
    regions.follow('gsls-regions');
    expect(regions.value).to.deep.equal(['eu']);
  });
});

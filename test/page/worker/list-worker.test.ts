import { expect } from 'chai';
import {
  facetNames,
  type FacetAsks,
  type Facets,
  type FromWorker,
  type ListView,
  type Picked,
  type Rows,
  type ToWorker,
} from '../../../src/page/connection/messages.ts';
import { DEFAULT_SORT } from '../../../src/page/address/sort-order.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { ListWorker } from '../../../src/page/worker/list-worker.ts';
import { FakeWorld, type FakeCall } from './support/fake-world.ts';
import { aServer, changesEvent, type Told } from './support/page-servers.ts';

const ALL: ListView = { filters: '', sort: 'name', ids: undefined, firstRegions: [] };
const byFilters = (filters: string): ListView => ({ ...ALL, filters });
const asked = Object.fromEntries(facetNames([]).map((name) => [name, { most: 8, sought: '' }])) as FacetAsks;
const FIRST_TEN = { start: 0, count: 10 };

const named = (name: string, more: Partial<ListedServer> = {}): ListedServer =>
  aServer(name, { name, ...more });
const onMap = (name: string, map: string): ListedServer => named(name, { map });
const list = (text: string): readonly ListedServer[] => text.split(' ').map((name) => named(name));

describe('the worker of the page', () => {
  let world: FakeWorld;
  let messages: FromWorker[];
  let worker: ListWorker;

  const feedCalls = (): readonly FakeCall[] =>
    world.calls.filter(({ url }) => url.pathname === '/base/changes');
  const send = (...all: readonly ToWorker[]): void => all.forEach((each) => worker.receive(each));
  let metaKeys: readonly string[];
  const start = (view: ListView = ALL, range = FIRST_TEN): void =>
    send({ type: 'start', baseUrl: 'http://service.test/base/', metaKeys, view, range });
  const show = (view: ListView, range = FIRST_TEN): void => send({ type: 'view', view, range });
  const allRows = (): readonly Rows[] => messages.filter((each) => each.type === 'rows');
  const rows = (): Rows => allRows().at(-1)!;
  const names = (): string => rows().rows.map(({ server }) => server.name).join(' '); // prettier-ignore
  const gone = (): string => rows().rows.filter(({ isGone }) => isGone).map(({ server }) => server.name).join(' '); // prettier-ignore
  const marks = (): readonly string[] =>
    rows().rows.map(({ changed, isNew }) => (isNew ? 'new' : changed.join()));
  const toldFacets = (): readonly (Facets | 'too long')[] =>
    messages.flatMap((each) => (each.type === 'facets' ? [each.facets] : []));
  const maps = (): string => {
    const facets = toldFacets().at(-1) as Facets;
    return facets.map.values.map(({ value, servers }) => `${value} ${servers}`).join();
  };
  const push = async (told: Told): Promise<void> => {
    feedCalls().at(-1)!.push(changesEvent(told));
    await world.settle();
  };
  /** A worker that has this list for half an hour. */
  const startWith = async (
    servers: readonly ListedServer[],
    view = ALL,
    range = FIRST_TEN,
  ): Promise<void> => {
    start(view, range);
    feedCalls().at(-1)!.open();
    await push({ servers, full: true });
    for (let beats = 0; beats < 3; beats += 1) await quiet(1000);
    messages.length = 0;
  };
  /** The answer of quick join. */
  const pickedNow = (asksRegion: boolean): Picked['picked'] => {
    send({ type: 'pick', without: [], asksRegion });
    return (messages.at(-1) as Picked).picked;
  };
  /** The names of the servers that a search finds. */
  const found = (q: string): string => {
    show(byFilters(`q=${encodeURIComponent(q)}`));
    return names();
  };
  /** Time passes in which the list does not change. */
  const quiet = async (ms: number): Promise<void> => {
    feedCalls().at(-1)!.push('id: t\n\n');
    await world.advance(ms);
  };

  beforeEach(() => {
    world = new FakeWorld();
    messages = [];
    metaKeys = [];
    worker = new ListWorker(world, (message) => messages.push(structuredClone(message)));
  });

  it('tells the rows of the range as soon as it has a list', async () => {
    start(ALL, { start: 1, count: 2 });
    feedCalls()[0]!.open();
    await push({ servers: list('d b c a'), full: true });
    expect(names()).to.equal('b c');
    expect(rows()).to.deep.include({
      start: 1,
      total: 4,
      matching: 4,
      players: 12,
      listed: 4,
      waiting: 0,
      shift: 0,
    });
    expect(rows().rows.map(({ isNew, changed }) => isNew || changed.length > 0)).to.deep.equal([
      false,
      false,
    ]);
    expect(messages.at(-1)).to.deep.equal({ type: 'state', state: { is: 'live' } });
  });

  it('answers at once when another range or view is asked for', async () => {
    await startWith(list('d b c a'));
    send({ type: 'range', range: { start: 2, count: 2 } });
    expect(names()).to.equal('c d');
    show({ ...ALL, sort: '-name' }, { start: 0, count: 2 });
    expect(names()).to.equal('d c');
    show({ ...ALL, ids: ['b', 'x'] });
    expect(names()).to.equal('b');
    expect(rows().view.ids).to.deep.equal(['b', 'x']);
    expect(rows()).to.deep.include({ total: 1, listed: 4 });
  });

  it('tells the last rows where the range is behind them', async () => {
    await startWith(list('a b c d'));
    send({ type: 'range', range: { start: 100, count: 3 } });
    expect(names()).to.equal('b c d');
    expect(rows().start).to.equal(1);
  });

  it('tells changes of the list about once a second, however often they come', async () => {
    await startWith(list('a b'));
    for (let change = 0; change < 50; change += 1) {
      await push({ servers: [named('a', { players: change })] });
      await world.advance(100);
    }
    expect(allRows()).to.have.length.within(5, 7);
    expect(rows().rows[0]!.server.players).to.be.above(40);
  });

  it('marks what has changed and what is new for a moment, and ends that in one message', async () => {
    await startWith(list('a b c'));
    await push({ servers: [named('b', { players: 9, map: 'x' }), named('d'), named('e')] });
    expect(marks()).to.deep.equal(['', 'players,map', '', 'new', 'new']);
    messages.length = 0;
    await quiet(1900);
    expect(messages).to.have.length(0);
    await quiet(1000);
    expect(marks()).to.deep.equal(['', '', '', '', '']);
    await quiet(3000);
    expect(messages).to.have.length(1);
  });

  it('keeps the version of a row that has not changed, and gives a greater one to a row that has', async () => {
    await startWith(list('a b'));
    send({ type: 'range', range: FIRST_TEN });
    const [a, b] = rows().rows.map(({ version }) => version) as [number, number];
    await push({ servers: [named('a', { players: 1 })] });
    expect(rows().rows.map(({ version }) => version === a || version === b)).to.deep.equal([false, true]);
    expect(rows().rows[0]!.version).to.be.above(a);
  });

  it('changes rows in place while held, and says how many would come, go or move', async () => {
    await startWith(list('a b c d'));
    send({ type: 'hold', isHeld: true });
    await push({ servers: [aServer('a', { name: 'z' }), named('bb')], removed: ['c'] });
    expect(names()).to.equal('z b c d');
    expect(gone()).to.equal('c');
    // Four rows, and three servers: one is gone.
    expect(rows()).to.deep.include({ waiting: 3, total: 4, matching: 3, players: 9, listed: 4 });
    await quiet(1000);
    await push({ servers: [named('c')] });
    expect(gone()).to.equal('');
    send({ type: 'hold', isHeld: false });
    expect(names()).to.equal('b bb c d z');
    expect(rows()).to.deep.include({ waiting: 0, total: 5, matching: 5, listed: 5 });
  });

  it('forgets what came and left again while held', async () => {
    await startWith(list('a b'));
    send({ type: 'hold', isHeld: true });
    await push({ servers: [named('c')] });
    expect(rows().waiting).to.equal(1);
    await quiet(1000);
    await push({ removed: ['c'] });
    expect(rows()).to.deep.include({ waiting: 0, total: 2 });
  });

  it('marks a row as gone while held when its server matches no more', async () => {
    await startWith(list('a b'), byFilters('players=3'));
    send({ type: 'hold', isHeld: true });
    await push({ servers: [named('a', { players: 4 })] });
    expect(gone()).to.equal('a');
    expect(rows()).to.deep.include({ waiting: 1, total: 2, matching: 1, players: 3, listed: 2 });
  });

  it('shows another view at once, held or not', async () => {
    await startWith(list('a b c'));
    send({ type: 'hold', isHeld: true });
    await push({ removed: ['a'] });
    show({ ...ALL, sort: '-name' });
    expect(names()).to.equal('c b');
    expect(rows().waiting).to.equal(0);
    await quiet(1000);
    await push({ removed: ['b'] });
    expect(names()).to.equal('c b');
  });

  it('changes nothing in a pause, and everything after it', async () => {
    await startWith(list('a b c'));
    send({ type: 'pause', isPaused: true });
    await push({ servers: [named('a', { players: 9 }), named('d')], removed: ['b'] });
    await quiet(1000);
    await push({ removed: ['d', 'never'] });
    await quiet(1000);
    expect(names()).to.equal('a b c');
    expect(rows()).to.deep.include({ waiting: 2, total: 3, players: 9, listed: 3 });
    show({ ...ALL, sort: '-name' });
    expect(names()).to.equal('c b a');
    send({ type: 'pause', isPaused: false });
    expect(names()).to.equal('c a');
    expect(rows()).to.deep.include({ waiting: 0, total: 2, players: 12, listed: 2 });
  });

  it('does not show in a pause what came a moment before it', async () => {
    await startWith(list('b c'));
    await push({ servers: [named('c', { players: 1 })] });
    await push({ servers: list('a') });
    send({ type: 'pause', isPaused: true });
    await quiet(2000);
    expect(names()).to.equal('b c');
    expect(rows().waiting).to.equal(1);
    send({ type: 'pause', isPaused: false });
    expect(names()).to.equal('a b c');
  });

  it('takes a whole list that comes in a pause after the pause', async () => {
    await startWith(list('a b c'));
    send({ type: 'pause', isPaused: true });
    await push({ removed: ['a'] });
    await push({ servers: list('c x'), full: true });
    await push({ servers: list('y'), removed: ['x'] });
    expect(rows().total).to.equal(3);
    send({ type: 'pause', isPaused: false });
    expect(names()).to.equal('c y');
  });

  it('says by how many rows those in view moved, and moves the range with them', async () => {
    await startWith(list('b c d e f g'), ALL, { start: 2, count: 2 });
    await push({ servers: list('a aa'), removed: ['c'] });
    expect(rows()).to.deep.include({ shift: 1, start: 3 });
    expect(names()).to.equal('d e');
    await quiet(1000);
    await push({ servers: [aServer('d', { name: 'z' })] });
    expect(rows()).to.deep.include({ shift: -1, start: 2 });
    expect(names()).to.equal('b e');
  });

  it('stays at the first row where the range begins there', async () => {
    await startWith(list('b c'), ALL, { start: 0, count: 2 });
    await push({ servers: list('a') });
    expect(rows()).to.deep.include({ shift: 0, start: 0 });
    expect(names()).to.equal('a b');
  });

  it('does not mark as new or changed what a whole list tells again', async () => {
    await startWith(list('a b c'));
    await push({ servers: [...list('c a'), named('b', { players: 1 }), named('d')], full: true });
    expect(marks()).to.deep.equal(['', 'players', '', 'new']);
  });

  it('shows an empty list where the service has one', async () => {
    await startWith(list('a b'));
    await push({ full: true });
    expect(rows()).to.deep.include({ total: 0, listed: 0, rows: [] });
  });

  it('puts servers that were registered in the same moment in the order of the service', async () => {
    const byRegistration = { ...ALL, sort: 'registered_at' };
    await startWith(list('x m'), byRegistration);
    await push({ servers: [named('c'), named('b'), named('m', { players: 1 })] });
    expect(names()).to.equal('x m c b');
    await quiet(1000);
    await push({ servers: list('b c x m'), full: true });
    expect(names()).to.equal('b c x m');
    show({ ...ALL, sort: '-registered_at' });
    expect(names()).to.equal('m x c b');
  });

  it('names the parameters that are wrong, once, and leaves them out', async () => {
    await startWith(list('a b'));
    show({ filters: 'name=a&map=&nope=1', sort: 'size', ids: undefined, firstRegions: [] });
    show({ filters: 'name=b&map=&nope=2', sort: 'size', ids: undefined, firstRegions: [] });
    expect(names()).to.equal('b');
    show(ALL);
    expect(messages.filter(({ type }) => type === 'wrongFilters')).to.deep.equal([
      { type: 'wrongFilters', names: ['map', 'nope', 'sort'] },
      { type: 'wrongFilters', names: [] },
    ]);
  });

  it('asks for the keys of meta that it counts by, and filters by them itself', async () => {
    metaKeys = ['mod', 'a é'];
    const meta = { mod: ['x', 'y'] };
    await startWith([named('a', { meta }), named('b', { meta: { mod: 'y' } }), named('c')]);
    expect(feedCalls()[0]!.url.search).to.equal('?include=meta.mod,meta.a%20%C3%A9');
    show(byFilters('meta.mod=x'));
    expect(names()).to.equal('a');
    show(byFilters('meta.mod!=x'));
    expect(names()).to.equal('b c');
    expect(feedCalls()).to.have.length(1);
    await push({ servers: [named('b', { meta: { mod: 'x' } })] });
    await quiet(1000);
    expect(names()).to.equal('c');
    show(byFilters('meta.mod=x&meta.other=1'));
    expect(feedCalls()[1]!.url.search).to.equal('?include=meta.mod,meta.a%20%C3%A9&meta.other=1');
  });

  it('leaves other keys of meta to the service, and shows the view before until its list has come', async () => {
    await startWith(list('a b c'));
    show(byFilters('name!=c&meta.mod=x'));
    expect(feedCalls()).to.have.length(2);
    expect(feedCalls()[0]!.isAborted).to.equal(true);
    expect(feedCalls()[1]!.url.search).to.equal('?meta.mod=x');
    send({ type: 'range', range: { start: 1, count: 2 } });
    expect(names()).to.equal('b c');
    expect(rows().view).to.deep.equal(ALL);
    feedCalls()[1]!.open();
    await push({ servers: list('b c'), full: true });
    expect(names()).to.equal('b');
    expect(rows().view.filters).to.equal('name!=c&meta.mod=x');
    show(byFilters('meta.mod=x'));
    expect(names()).to.equal('b c');
    expect(feedCalls()).to.have.length(2);
  });

  it('says since when the list is as it is when the feed for another view is not reached', async () => {
    await startWith(list('a b c'));
    show(byFilters('meta.mod=x'));
    feedCalls()[1]!.fail();
    await world.settle();
    expect(messages.at(-1)).to.deep.include({ type: 'state' });
    expect((messages.at(-1) as { state: object }).state).to.deep.include({
      is: 'away',
      asOf: world.now() - 3000,
    });
  });

  it('leaves all filters to the service where its list is longer than 30,000', async () => {
    start(byFilters('name=a&wrong=1'));
    const [count] = world.calls.filter(({ url }) => url.pathname === '/base/servers');
    expect(count!.url.search).to.equal('?limit=1');
    expect(feedCalls()[0]!.url.search).to.equal('');
    count!.say('{"total":30001}');
    await world.settle();
    expect(feedCalls()[0]!.isAborted).to.equal(true);
    expect(feedCalls()[1]!.url.search).to.equal('?name=a');
    feedCalls()[1]!.open();
    await push({ servers: list('a'), full: true });
    expect(names()).to.equal('a');
  });

  describe('where the filters are shown', () => {
    it('counts their values: at once, with another view, after changes, and while the service is away', async () => {
      await startWith([onMap('a', 'x'), onMap('b', 'x'), onMap('c', 'y')]);
      send({ type: 'facets', asked });
      expect(maps()).to.equal('x 2,y 1');
      await push({ servers: [onMap('d', 'y'), onMap('e', 'y')] });
      expect(maps()).to.equal('y 3,x 2');
      feedCalls()[0]!.fail();
      await world.advance(30_000);
      show(byFilters('map=x&name!=a'));
      expect(maps()).to.equal('y 3,x 1');
      expect(world.calls.filter(({ url }) => url.pathname.endsWith('stats'))).to.deep.equal([]);
    });

    it('counts them once for many changes, tells nothing where they stay, and stops with the filters', async () => {
      await startWith([onMap('a', 'x')]);
      send({ type: 'facets', asked });
      for (let change = 0; change < 20; change += 1) {
        await push({ servers: [onMap(`new ${change}`, 'x')] });
        await world.advance(100);
      }
      expect(toldFacets()).to.have.length.within(2, 4);
      await quiet(3000);
      messages.length = 0;
      await push({ servers: [named('a', { map: 'x', host: 'other.example.com' })] });
      await quiet(1000);
      send({ type: 'facets', asked: undefined });
      await push({ servers: [onMap('z', 'x')] });
      await quiet(1000);
      expect(toldFacets()).to.deep.equal([]);
    });

    it('keeps their order while it is held', async () => {
      await startWith([onMap('a', 'x'), onMap('b', 'x'), onMap('c', 'y')]);
      send({ type: 'facets', asked }, { type: 'hold', isHeld: true });
      await push({ servers: [onMap('d', 'y'), onMap('e', 'y')] });
      expect(maps()).to.equal('x 2,y 3');
      send({ type: 'hold', isHeld: false });
      expect(maps()).to.equal('y 3,x 2');
    });

    it('leaves them to the service where the list is longer than 30,000', async () => {
      start();
      send({ type: 'facets', asked });
      world.calls.find(({ url }) => url.pathname === '/base/servers')!.say('{"total":30001}');
      await world.settle();
      expect(toldFacets()).to.deep.equal(['too long']);
    });
  });

  it('filters and sorts while the service is away', async () => {
    await startWith(list('a b c'));
    feedCalls()[0]!.fail();
    await world.advance(30_000);
    expect(messages.at(-1)).to.deep.include({ type: 'state' });
    show({ filters: 'name=a,c', sort: '-name', ids: undefined, firstRegions: [] });
    expect(names()).to.equal('c a');
  });

  it('puts the servers of the regions that the reader plays in first, in any order, also as they change', async () => {
    const far = { region: 'na' };
    const near = { region: 'eu' };
    await startWith([named('a', far), named('b', near), named('c'), named('d', near)]);
    show({ ...ALL, firstRegions: ['eu', 'sa'] });
    expect(names()).to.equal('b d a c');
    show({ ...ALL, sort: '-name', firstRegions: ['eu', 'sa'] });
    expect(names()).to.equal('d b c a');
    send({ type: 'hold', isHeld: true });
    await push({ servers: [named('a', near), named('e', { region: 'sa' })] });
    await quiet(1000);
    expect(names()).to.equal('d b c a');
    expect(rows().waiting).to.equal(2);
    send({ type: 'hold', isHeld: false });
    expect(names()).to.equal('e d b a c');
    show({ ...ALL, firstRegions: [] });
    expect(names()).to.equal('a b c d e');
  });

  it('picks a server of these regions first', async () => {
    await startWith([named('a'), named('b', { region: 'eu', players: 0 })], { ...ALL, firstRegions: ['eu'] });
    world.luck = 0;
    send({ type: 'pick', without: [], asksRegion: false });
    expect(messages.at(-1)).to.have.nested.property('picked.id', 'b');
  });

  it('picks a server of the view that is shown, also while the service is away, and by chance', async () => {
    await startWith(list('a b c d'), { ...byFilters('name!=d'), ids: ['a', 'b', 'd'] });
    feedCalls()[0]!.fail();
    await world.settle();
    const picked = (luck: number, without: readonly string[] = []): string | undefined => {
      world.luck = luck;
      send({ type: 'pick', without, asksRegion: true });
      const answer = messages.at(-1)!;
      if (answer.type !== 'picked') return 'another answer';
      return typeof answer.picked === 'object' ? answer.picked.id : answer.picked;
    };
    expect([0, 0.49, 0.5, 0.99].map((luck) => picked(luck))).to.deep.equal(['a', 'a', 'b', 'b']);
    expect(picked(0, ['a'])).to.equal('b');
    expect(picked(0, ['a', 'b'])).to.equal(undefined);
  });

  it('picks none while it has no list', () => {
    start();
    send({ type: 'pick', without: [], asksRegion: true });
    expect(messages.at(-1)).to.deep.equal({ type: 'picked', picked: undefined });
  });

  it('asks for a region before it picks, where servers of several regions can be joined', async () => {
    const near = { region: 'eu' };
    world.luck = 0;
    await startWith([
      named('a', near),
      named('b', { region: 'na', players: 16 }),
      named('x', { players: 1 }),
      named('c', { ...near, players: 0 }),
    ]);
    expect(pickedNow(true), 'one region').to.have.property('id', 'a');
    await push({ servers: [named('d', { region: 'na' })] });
    expect(pickedNow(true)).to.equal('asks region');
    expect(pickedNow(false)).to.have.property('region');
  });

  it('finds words of a search in address, host, version and region', async () => {
    await startWith([
      named('a', { ip: '198.51.100.9', port: 27015 }),
      named('b', { host: 'play.example.org' }),
      named('c', { version: '1.20.4' }),
      named('d', { region: 'eu-west' }),
      named('e', { ip: '2001:db8::7' }),
    ]);
    expect(found('198.51.100.9:27015')).to.equal('a');
    expect(found('PLAY.example.org:7777')).to.equal('b');
    expect(found('1.20.4')).to.equal('c');
    expect(found('west')).to.equal('d');
    expect(found('[2001:db8::7]')).to.equal('e');
    await push({ servers: [named('c', { version: '1.21' })] });
    expect(found('1.20.4')).to.equal('');
    expect(found('1.21')).to.equal('c');
  });

  it('shows those with a place first in the order of the page, by players, then full ones, then empty ones', async () => {
    const having = (name: string, players: number): ListedServer => named(name, { players });
    const all = [having('full', 16), having('empty', 0), having('b', 2), having('over', 20), having('a', 15)];
    await startWith([...all, named('none', { players: 0, max_players: 0 })]);
    show({ ...ALL, sort: DEFAULT_SORT });
    expect(names()).to.equal('a b over full empty none');
    show({ ...ALL, sort: '' });
    expect(names()).to.equal('a b over full empty none');
    show({ ...ALL, sort: '-full,password,name' });
    expect(names()).to.equal('full none over a b empty');
  });

  it('shows what changes within a second when the clock was set back', async () => {
    await startWith(list('a b'));
    world.setBack(3_600_000);
    await push({ servers: list('c') });
    await quiet(1000);
    expect(names()).to.equal('a b c');
  });
});

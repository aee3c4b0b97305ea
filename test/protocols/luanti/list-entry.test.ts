import { expect } from 'chai';
import { valuesIn } from '../../../src/protocols/json-document.ts';
import {
  areOfEntry,
  createListEntry,
  describeEntry,
  parseKept,
  scoreOf,
  type Before,
  type LuantiEntry,
} from '../../../src/protocols/luanti/list-entry.ts';
import type { GameServer } from '../../../src/model/game-server.ts';
import { announced, someoneSaid } from './builders.ts';

const CHECKED = { address: 'play.example.pizza', ping: 0.1234567 };

function shown({ document }: LuantiEntry): Record<string, unknown> {
  return JSON.parse(document) as Record<string, unknown>;
}

function described(name: string, more = {}): GameServer {
  return describeEntry(announced('start', { name, ...more }), 'a.pizza', '198.51.100.7');
}

describe('the entry of a Luanti server', () => {
  const start = createListEntry(
    announced('start', { clients: 4, uptime: 9, mods: ['a'], mapgen: 'v7', privs: 'fly', pvp: true }),
    CHECKED,
    undefined,
  );

  it('shows where it is, how fast it answered and its players so far', () => {
    expect(shown(start)).to.deep.equal({
      ...someoneSaid({ clients: 4, mods: ['a'], mapgen: 'v7', privs: 'fly', pvp: true }),
      address: 'play.example.pizza',
      port: 30000,
      ping: 0.12346,
      clients_top: 4,
      pop_v: 4,
      uptime: 0,
    });
  });

  it('is known again by its document, and by no other', () => {
    const update = createListEntry(announced('update', { uptime: 300, lag: 0.1 }), CHECKED, start);
    for (const { document } of [start, update])
      expect(valuesIn(document, areOfEntry), document).to.deep.equal(JSON.parse(document));
    const { name: _, ...nameless } = shown(start);
    for (const wrong of [{}, nameless, { ...shown(start), more: 1 }, { ...shown(start), address: '' }])
      expect(areOfEntry(wrong), JSON.stringify(wrong)).to.equal(false);
    for (const odd of [
      { name: 7 },
      { clients: '4' },
      { mods: ['b', 'a'] },
      { url: 'javascript:a()' },
      { gameid: "it's" },
      { ping: -1 },
      { ping: '0' },
      { clients_top: 0.5 },
      { pop_v: null },
      { port: 70_000 },
    ])
      expect(areOfEntry({ ...shown(start), ...odd }), JSON.stringify(odd)).to.equal(false);
  });

  it('carries over nothing of a document that another program wrote', () => {
    for (const document of ['', 'nonsense', '{"mods":7}', JSON.stringify({ ...shown(start), mods: [7] })]) {
      const update = createListEntry(announced('update', { uptime: 300 }), CHECKED, { ...start, document });
      expect(shown(update)).not.to.have.any.keys('mods', 'mapgen');
    }
  });

  it('carries over what an update leaves out', () => {
    const update = createListEntry(announced('update', { uptime: 300, clients: 1 }), CHECKED, start);
    expect(shown(update)).to.deep.include({ mods: ['a'], mapgen: 'v7', privs: 'fly', uptime: 300 });
    const next = createListEntry(announced('update', { uptime: 600 }), CHECKED, update);
    expect(shown(next)).to.deep.include({ mods: ['a'], mapgen: 'v7', privs: 'fly', uptime: 600 });
  });

  it('carries over nothing that each update says, such as the names of players', () => {
    const named = createListEntry(announced('start', { clients_list: ['sam'], clients: 1 }), CHECKED, start);
    const update = createListEntry(announced('update', { clients: 3 }), CHECKED, named);
    expect(shown(update)).not.to.have.any.keys('clients_list', 'pvp', 'lag');
  });

  it('carries nothing over to a start', () => {
    expect(shown(createListEntry(announced('start'), CHECKED, start))).not.to.have.property('mods');
  });

  it('counts players over all announcements, also those before a start', () => {
    let before: Before = start;
    for (const clients of [5, 0, 1])
      before = createListEntry(announced('start', { clients }), CHECKED, before);
    // (4 + 5 + 0 + 1) / 4 = 2.5, which Python rounds to the even 2.
    expect(JSON.parse(before.document!)).to.include({ clients_top: 5, pop_v: 2 });
    expect(before.kept).to.include({ announcements: 4, clientsTotal: 10, clientsTop: 5 });
  });

  it('begins with an update where nothing was before', () => {
    const update = createListEntry(announced('update', { uptime: 300 }), CHECKED, undefined);
    expect(shown(update)).to.include({ uptime: 0 });
  });

  it('keeps what it knows of itself when its document is not here', () => {
    const update = createListEntry(announced('update', { uptime: 300, clients: 2 }), CHECKED, {
      kept: start.kept,
      document: undefined,
    });
    expect(shown(update)).to.include({ clients_top: 4, pop_v: 3, uptime: 300 });
  });

  it('has no memory of what another program has put in its place', () => {
    expect(parseKept(start.kept)).to.deep.equal(start.kept);
    for (const value of [undefined, {}, [], { ...start.kept, score: null }, { ...start.kept, uptime: '1' }])
      expect(parseKept(value)).to.equal(undefined);
  });
});

describe('the score of a Luanti server', () => {
  // By get_score() of server.py.
  for (const [said, ping, average, score] of [
    [{}, 0, 0, 0],
    [{ clients: 5 }, 0.1, 3, 6.5],
    [{ clients: 14 }, 0.1, 14, 14 - 2 + 4],
    [{ clients: 20, clients_max: 201 }, 0.1, 0, 12],
    [{ game_time: 2 * 30 * 86_400 }, 0.1, 0, 2],
    [{ game_time: 20 * 30 * 86_400 }, 0.1, 0, 8],
    [{ clients: 5 }, 1.4, 0, 5 - 8],
    [{ clients: 5, proto_min: 32, proto_max: 37 }, 0.1, 0, 3],
    [{ clients: 5, proto_min: 33, proto_max: 37 }, 0.1, 0, 5],
  ] as const)
    it(`is ${score} for ${JSON.stringify(said)}, ping ${ping}, average ${average}`, () => {
      expect(scoreOf(someoneSaid(said), ping, average)).to.be.closeTo(score, 1e-9);
    });
});

describe('a Luanti server in the lists of the API', () => {
  it('has its address, players, game and flags', () => {
    const { details, ...entry } = described('A', {
      clients: 3,
      creative: true,
      pvp: true,
      damage: false,
      password: true,
    });
    expect(entry).to.deep.equal({
      host: 'a.pizza',
      name: 'A',
      ip: '198.51.100.7',
      port: 30000,
      players: 3,
      maxPlayers: 15,
    });
    expect(details!.fields).to.deep.include({
      game: 'devtest',
      version: '5.6.1',
      password: true,
      tags: ['creative', 'pvp'],
    });
  });

  for (const [name, shownName] of [
    ['\u001b(c@#f00)Red\u001b(c@#fff) server', 'Red server'],
    ['\u001b(T@mod)Translated\u001bE', 'Translated'],
    ['\u001b(c@\\)x)A', 'A'],
    ['a\u0000b\u202ec\nd', 'a b c d'],
    ['   ', 'a.pizza'],
    ['\u001b(', 'a.pizza'],
    ['x'.repeat(500), 'x'.repeat(128)],
  ] as const)
    it(`shows the name ${JSON.stringify(name.slice(0, 40))} as ${JSON.stringify(shownName.slice(0, 40))}`, () => {
      expect(described(name).name).to.equal(shownName);
    });

  it('has neither game nor version where it says none', () => {
    expect(described('A', { gameid: '', version: ' ' }).details!.fields).not.to.have.any.keys(
      'game',
      'version',
    );
  });
});

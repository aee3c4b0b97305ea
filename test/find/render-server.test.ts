import { expect } from 'chai';
import { renderServer } from '../../src/find/render-server.ts';
import type { Json } from '../../src/registry/fields/detail-fields.ts';
import { Details } from '../../src/registry/fields/details.ts';
import { anEntry } from '../support/builders.ts';

const SEVEN =
  '"id":"id","host":"game.example.com","name":"A \\"server\\"","port":7777,"ip":"203.0.113.7","players":3,"max_players":16';
const REGISTERED = '"registered_at":"2026-11-21T10:20:30.123Z"';
const about = { name: 'A "server"', registeredVersion: Date.parse('2026-11-21T10:20:30.123Z') * 1000 + 999 };

describe('a server in an answer', () => {
  it('has the seven fields, its details, and when it was registered', () => {
    const details = Details.of({ map: 'de_dust2', password: false, tags: ['a', 'b'], meta: { mods: [1] } });
    const row = anEntry({ ...about, details });
    const shown = '"map":"de_dust2","password":false,"tags":["a","b"]';
    expect(renderServer(row)).to.equal(`{${SEVEN},${shown},${REGISTERED}}`);
    expect(renderServer(row, true)).to.equal(`{${SEVEN},${shown},"meta":{"mods":[1]},${REGISTERED}}`);
  });

  it('has the keys of meta that are wanted, as far as it has them', () => {
    const meta = JSON.parse('{"mods":[1],"level":5,"__proto__":"x"}') as Record<string, Json>;
    const row = anEntry({ ...about, details: Details.of({ meta }) });
    const shown = (keys: readonly string[]): string => renderServer(row, keys);
    expect(shown(['level', 'none', 'mods'])).to.equal(
      `{${SEVEN},"meta":{"level":5,"mods":[1]},${REGISTERED}}`,
    );
    expect(shown(['__proto__'])).to.equal(`{${SEVEN},"meta":{"__proto__":"x"},${REGISTERED}}`);
    for (const keys of [[], ['toString', 'constructor']])
      expect(shown(keys)).to.equal(`{${SEVEN},${REGISTERED}}`);
  });

  it('says nothing of details that its game server does not say', () => {
    expect(renderServer(anEntry(about))).to.equal(`{${SEVEN},${REGISTERED}}`);
    expect(renderServer(anEntry(about), true)).to.equal(`{${SEVEN},${REGISTERED}}`);
  });
});

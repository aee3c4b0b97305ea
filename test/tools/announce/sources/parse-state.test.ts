/** The JSON in which programs and files say what a game server is. */

import { expect } from 'chai';
import { DETAIL_NAMES } from '../../../../src/model/fields/detail-fields.ts';
import { parseState } from '../../../../src/tools/announce/sources/parse-state.ts';

const parse = (value: unknown): unknown => parseState(JSON.stringify(value));

const DETAILS = DETAIL_NAMES.filter((name) => name !== 'addresses' && name !== 'latency');
const NAMES = ['server_name', 'players', 'max_players', ...DETAILS].join(', ');

describe('the JSON of a program or a file', () => {
  it('says all that a broadcast may say of a game', () => {
    expect(
      parse({
        server_name: 'Red Arena',
        players: 3,
        max_players: 12,
        map: 'oa_dm1',
        mode: 'ffa',
        version: '1.2',
        region: 'eu',
        password: false,
        tags: ['ranked', 'ranked'],
        meta: { level: 5 },
      }),
    ).to.deep.equal({
      is: 'told',
      state: {
        name: 'Red Arena',
        players: 3,
        maxPlayers: 12,
        map: 'oa_dm1',
        mode: 'ffa',
        version: '1.2',
        region: 'eu',
        password: false,
        tags: ['ranked'],
        meta: { level: 5 },
      },
    });
  });

  it('may say nothing, and take a field back by null', () => {
    expect(parse({})).to.deep.equal({ is: 'told', state: {} });
    expect(parse({ map: null, meta: {}, tags: [], mode: ' ' })).to.deep.equal({ is: 'told', state: {} });
  });

  it('has its texts cleaned and cut', () => {
    expect(parse({ server_name: `a\u001b[31m\nb${'x'.repeat(200)}`, tags: ['\u202e', 'ok'] })).to.deep.equal({
      is: 'told',
      state: { name: `a [31m b${'x'.repeat(120)}`, tags: ['ok'] },
    });
  });

  it('may begin with the mark of an encoding', () => {
    expect(parseState('\ufeff{"players": 1}\r\n')).to.deep.equal({ is: 'told', state: { players: 1 } });
  });

  for (const [value, why] of [
    [{ players: -1 }, 'says players that is not an integer from 0 to 1000000'],
    [{ players: 1.5 }, 'says players that is not an integer from 0 to 1000000'],
    [{ players: '3' }, 'says players that is not an integer from 0 to 1000000'],
    [{ max_players: 1e7 }, 'says max_players that is not an integer from 0 to 1000000'],
    [{ map: 3 }, 'says map that is not a text'],
    [{ password: 'no' }, 'says password that is not true or false'],
    [{ tags: [1] }, /^says tags that is not a list of up to 16 tags/],
    [{ tags: 'a' }, /^says tags that is not a list of up to 16 tags/],
    [{ meta: [] }, /^says meta that is not a JSON object of at most 2048 bytes/],
    [{ meta: { a: { b: { c: { d: {} } } } } }, /^says meta that is not a JSON object/],
    [{ meta: { a: 'x'.repeat(2048) } }, /^says meta that is not a JSON object/],
    [{ meta: { a: '\u001b' } }, /^says meta that is not a JSON object/],
    [{ maxPlayers: 3 }, 'says an unknown field maxPlayers; did you mean max_players?'],
    [{ name: 'x' }, 'says an unknown field name; did you mean server_name?'],
    [{ payers: 3 }, 'says an unknown field payers; did you mean players?'],
    [{ '\u001b]0;x': 3 }, `says an unknown field \\u{1b}]0;x; the fields are ${NAMES}`],
    [{ server_port: 3 }, `says an unknown field server_port; the fields are ${NAMES}`],
    [{ ['__proto__x']: 3 }, `says an unknown field __proto__x; the fields are ${NAMES}`],
    [[], 'says JSON that is no object like {"players": 3}'],
    [null, 'says JSON that is no object like {"players": 3}'],
    [3, 'says JSON that is no object like {"players": 3}'],
  ] as const)
    it(`names what is wrong with ${JSON.stringify(value).slice(0, 60)}`, () => {
      const parsed = parseState(JSON.stringify(value));
      expect(parsed.is).to.equal('wrong');
      expect((parsed as { why: string }).why).to.match(typeof why === 'string' ? /^/ : why);
      if (typeof why === 'string') expect(parsed).to.have.property('why', why);
    });

  it('shows the beginning of what is no JSON, harmlessly', () => {
    expect(parseState('')).to.deep.equal({ is: 'broken', why: 'says nothing' });
    expect(parseState('\n Segmentation\u001b[2J fault\nmore')).to.deep.equal({
      is: 'broken',
      why: 'says no JSON: Segmentation\\u{1b}[2J fault',
    });
    expect(parseState('{"__proto__": {"a": 1}, "players": 1')).to.have.property('is', 'broken');
  });
});

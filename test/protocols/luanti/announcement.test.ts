import { expect } from 'chai';
import {
  parseRequest,
  readForm,
  type Announced,
  type LuantiReply,
} from '../../../src/protocols/luanti/announcement.ts';
import { aStart, anUpdate } from './builders.ts';

function parsed(values: unknown): ReturnType<typeof parseRequest> {
  return parseRequest(JSON.stringify(values));
}

function said(overrides: Readonly<Record<string, unknown>>): Announced['said'] {
  return (parsed(aStart(overrides)) as Announced).said;
}

const NOT_A_SCHEMA: LuantiReply = { status: 400, text: 'JSON data does not conform to schema.' };
const INCORRECT: LuantiReply = { status: 400, text: 'Incorrect JSON data.' };

describe('the form of an announcement to Luanti', () => {
  const boundary = '------------------------96b2aff14e2332c8';
  const multipart = `multipart/form-data; boundary=${boundary}`;
  const part = (name: string, text: string, more = ''): Buffer =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    );

  it('is multipart, as curl makes it', async () => {
    expect(await readForm(part('json', '{"a":"ä\\n"}'), multipart)).to.equal('{"a":"ä\\n"}');
  });

  it('may be urlencoded', async () => {
    const form = Buffer.from(`json=${encodeURIComponent('{"a":1}')}`);
    expect(await readForm(form, 'application/x-www-form-urlencoded')).to.equal('{"a":1}');
  });

  for (const [what, body, type] of [
    ['another field', part('jason', '{}'), multipart],
    ['a file', part('json', '{}', '; filename="a"'), multipart],
    ['another boundary', part('json', '{}'), 'multipart/form-data; boundary=b'],
    ['no boundary', part('json', '{}'), 'multipart/form-data'],
    ['no type', part('json', '{}'), undefined],
    ['JSON alone', Buffer.from('{}'), 'application/json'],
    ['a type that is none', part('json', '{}'), 'multipart/form-data; boundary="\0\n'],
    ['nothing', Buffer.alloc(0), multipart],
  ] as const)
    it(`with ${what} gets 400`, async () => {
      expect(await readForm(body, type)).to.include({ status: 400 });
    });

  it('with more than 8192 characters gets 413, with their number', async () => {
    expect(await readForm(part('json', 'x'.repeat(8193)), multipart)).to.deep.equal({
      status: 413,
      text: 'JSON data is too big (8193).',
    });
    expect(await readForm(part('json', 'x'.repeat(8192)), multipart)).to.have.length(8192);
  });
});

describe('an announcement to Luanti', () => {
  it('of a start says all that the list shows', () => {
    const { action: _, address: __, port: ___, url: ____, ...rest } = aStart();
    expect(parsed(aStart())).to.deep.equal({
      action: 'start',
      address: '',
      port: 30000,
      said: { ...rest, mods: ['bucket', 'testtools'], privs: 'interact,shout' },
    });
  });

  it('of a delete needs nothing else', () => {
    expect(parsed({ action: 'delete', address: '', port: 31999 })).to.deep.equal({
      action: 'delete',
      port: 31999,
    });
  });

  it('has port 30000 if it says none', () => {
    expect(parsed({ action: 'delete' })).to.include({ port: 30000 });
  });

  it('may say numbers and truth values as texts, as old servers do', () => {
    expect(parsed(aStart({ port: '30001' }))).to.include({ port: 30001 });
    expect(
      said({ clients_list: undefined, clients: '7', pvp: 'True', damage: '0', creative: '1' }),
    ).to.include({
      clients: 7,
      pvp: true,
      damage: false,
      creative: true,
    });
  });

  it('names each player and mod once, in order, and counts the players that it names', () => {
    const {
      clients,
      clients_list: names,
      mods,
    } = said({
      clients: 99,
      clients_list: ['sam', 'celeron', 'sam'],
      mods: ['b', 'a', 'b'],
    });
    expect({ clients, names, mods }).to.deep.equal({
      clients: 2,
      names: ['celeron', 'sam'],
      mods: ['a', 'b'],
    });
  });

  it('counts players that it does not name', () => {
    const given = said({ clients: 9, clients_list: undefined });
    expect(given.clients).to.equal(9);
    expect(given).not.to.have.property('clients_list');
  });

  it('has the characters taken out that names and versions cannot have', () => {
    expect(said({ gameid: "mine\tclone '2", version: '5 .0\0', mapgen: 'v 7' })).to.include({
      gameid: 'mineclone2',
      version: '5.0',
      mapgen: 'v7',
    });
  });

  it('keeps the texts for people as they are', () => {
    const name = '\u001b(c@#f00)Red\u001b(c@#fff) ^1 \t\n"server\'s" \u202e';
    expect(said({ name, description: name })).to.include({ name, description: name });
  });

  it('has no lone half of a surrogate pair: clients would refuse the whole list', () => {
    const json = JSON.stringify(aStart({ name: 'NAME', mods: ['MOD'] }))
      .replace('NAME', String.raw`\ud800 \ud83d\ude00`)
      .replace('MOD', String.raw`\udfff`);
    expect((parseRequest(json) as Announced).said).to.deep.include({ name: '\ufffd 😀', mods: ['\ufffd'] });
  });

  for (const url of [
    'ftp://a.example',
    'javascript:alert(1)',
    'https://a.example/ b',
    "http://a'b",
    '//a.example',
    '',
  ])
    it(`loses the link ${JSON.stringify(url)}, and nothing else`, () => {
      expect(said({ url })).to.not.have.property('url');
    });

  it('keeps a link to a web page', () => {
    expect(said({ url: 'https://a.example/?b' }).url).to.equal('https://a.example/?b');
  });

  it('takes over nothing that the list does not know', () => {
    const given = said({ geo_continent: 'AN', ping: 0, pop_v: 99, clients_top: 99, __proto__: 1, x: {} });
    expect(Object.keys(given)).to.have.members(Object.keys(said({})));
  });

  for (const [what, overrides] of [
    ['without a required field', { gameid: undefined }],
    ['with a name that is no text', { name: ['a'] }],
    ['with null', { description: null }],
    ['with a count that is a fraction', { uptime: 1.5 }],
    ['with a count that is true', { clients: true }],
    ['with a negative count', { clients_max: -1 }],
    ['with more players than Luanti can count', { clients_max: 65536 }],
    ['with a negative lag', { lag: -0.1 }],
    ['with a lag that is a text', { lag: '0.1' }],
    ['with mods that are no list', { mods: 'bucket' }],
    ['with a player that is no text', { clients_list: ['sam', 7] }],
    ['with a truth value that is a number', { pvp: 1 }],
    ['with port 0', { port: 0 }],
    ['with port 65536', { port: '65536' }],
  ] as const)
    it(`${what} does not conform to the schema`, () => {
      expect(parsed(aStart(overrides))).to.deep.equal(NOT_A_SCHEMA);
    });

  it('with a number beyond all bounds does not conform to the schema', () => {
    const json = JSON.stringify(anUpdate({ lag: 12345 })).replace('12345', '1e999');
    expect(parseRequest(json)).to.deep.equal(NOT_A_SCHEMA);
  });

  for (const [what, overrides] of [
    ['whose oldest protocol is newer than its newest', { proto_min: 42, proto_max: 41 }],
    ['with a player whose name has a space', { clients_list: ['sam sam'] }],
    ['with a player without a name', { clients_list: [''] }],
    ['with a mod whose name has an apostrophe', { mods: ["it's"] }],
  ] as const)
    it(`${what} is incorrect`, () => {
      expect(parsed(aStart(overrides))).to.deep.equal(INCORRECT);
    });

  it('with another action gets 400', () => {
    for (const action of ['remove', '', undefined, ['start'], null])
      expect(parsed(aStart({ action }))).to.deep.equal({ status: 400, text: 'Invalid action field.' });
  });

  it('that is no JSON object gets 400', () => {
    expect(parseRequest('{"action":"start"')).to.deep.equal({
      status: 400,
      text: 'Unable to process JSON data.',
    });
    for (const value of [null, [], 'a', 1])
      expect(parsed(value)).to.deep.equal({ status: 400, text: 'JSON data is not an object.' });
  });

  it('with NaN is no JSON: in the list it would be none either', () => {
    expect(parseRequest(JSON.stringify(aStart({ lag: 7777 })).replace('7777', 'NaN'))).to.include({
      status: 400,
    });
  });
});

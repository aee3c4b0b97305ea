/** What counts as a break of the API, with invented documents. */

import { expect } from 'chai';
import { whatBreaks, type Described, type Operation } from './support/what-breaks.ts';

interface Parts {
  readonly version?: string;
  readonly operation?: Partial<Operation>;
  /** The schema of the body that is sent. */
  readonly sent?: object;
  /** The schema of the answer. */
  readonly told?: object;
  readonly path?: string;
}

const NAME = { type: 'string', maxLength: 8 };

const media = (schema: object) => ({ content: { 'application/json': { schema: schema as never } } });

function described({
  version = '1.0.0',
  operation = {},
  sent = {},
  told = {},
  path = '/a',
}: Parts): Described {
  const responses = {
    200: { headers: { Tag: { required: true, schema: { type: 'string' } } }, ...media(told) },
  };
  return {
    info: { version },
    paths: { [path]: { post: { responses, requestBody: media(sent), ...operation } } },
  };
}

/** A document whose answer has two servers, each by the name of its schema. */
function withServer(schema: object): Described {
  const $ref = '#/components/schemas/Server';
  const document = described({ told: { properties: { one: { $ref }, all: { items: { $ref } } } } });
  return { ...document, components: { schemas: { Server: schema } } };
}

const breaks = (before: Parts, after: Parts): readonly string[] =>
  whatBreaks(described(before), described(after));
const named = (more: object): Parts => ({
  operation: { parameters: [{ name: 'n', in: 'query', schema: NAME, ...more }] },
});

describe('what breaks an API', () => {
  for (const [title, before, after, sentences] of [
    ['a path that is gone', {}, { path: '/b' }, ['POST /a is gone']],
    ['a parameter that is gone', named({}), {}, ['POST /a n is gone']],
    ['a parameter that is required', named({}), named({ required: true }), ['POST /a n is required now']],
    ['a new parameter that is required', {}, named({ required: true }), ['POST /a n is required now']],
    [
      'a parameter with a lower limit',
      named({}),
      named({ schema: { ...NAME, maxLength: 7 } }),
      ['POST /a n is narrower: maxLength was 8, and is 7'],
    ],
    [
      'a pattern that was not there',
      named({}),
      named({ schema: { ...NAME, pattern: 'a' } }),
      ['POST /a n has another pattern: undefined, now "a"'],
    ],
    [
      'a parameter that is separated otherwise',
      named({ explode: false }),
      named({ explode: true }),
      ['POST /a n is written in another form'],
    ],
    [
      'a value that is taken no more',
      { sent: { enum: ['a', 'b'] } },
      { sent: { enum: ['a'] } },
      ['the body of POST /a has no "b" any more'],
    ],
    [
      'a type that is taken no more',
      { sent: { type: ['string', 'null'] } },
      { sent: { type: 'string' } },
      ['the body of POST /a has another type: ["string","null"], now "string"'],
    ],
    [
      'a field that has to be sent',
      { sent: { properties: { a: {} } } },
      { sent: { properties: { a: {} }, required: ['a'] } },
      ['the body of POST /a.a is required now'],
    ],
    [
      'a body that is closed to other fields',
      {},
      { sent: { additionalProperties: false } },
      ['the body of POST /a has other values'],
    ],
    [
      'a field of an answer that is gone',
      { told: { properties: { a: {} }, required: ['a'] } },
      {},
      ['200 to POST /a.a is gone'],
    ],
    [
      'a field of an answer that may lack',
      { told: { properties: { a: {} }, required: ['a'] } },
      { told: { properties: { a: {} } } },
      ['200 to POST /a.a is no longer sure to be there'],
    ],
    [
      'an answer that may be null',
      { told: { items: { type: 'string' } } },
      { told: { items: { type: ['string', 'null'] } } },
      ['200 to POST /a[] has another type: "string", now ["string","null"]'],
    ],
    ['a status that is gone', {}, { operation: { responses: {} } }, ['200 to POST /a is gone']],
    [
      'a header that is gone',
      {},
      {
        operation: {
          responses: { 200: { content: described({}).paths['/a']!['post']!.requestBody!.content } },
        },
      },
      ['Tag of 200 to POST /a is gone'],
    ],
    ['a key that is needed', {}, { operation: { security: [{ key: [] }] } }, ['POST /a needs key now']],
    [
      'a key that opens no more',
      { operation: { security: [{ key: [] }, { name: [] }] } },
      { operation: { security: [{ key: [] }] } },
      ['POST /a lets nobody in by name any more'],
    ],
    [
      'a keyword that nobody judges',
      { sent: {} },
      { sent: { oneOf: [] } },
      ['the body of POST /a has another oneOf: undefined, now []'],
    ],
  ] as readonly (readonly [string, Parts, Parts, readonly string[]])[])
    it(`is ${title}`, () => {
      expect(breaks(before, after)).to.deep.equal(sentences);
      expect(breaks(before, before)).to.deep.equal([]);
    });

  it('is nothing that is new, wider to send or surer to come', () => {
    const more: Parts = {
      operation: { parameters: [{ name: 'n', in: 'query', schema: {} }], security: [] },
      sent: { type: ['object', 'null'], properties: { a: { type: 'number', maximum: 9 }, b: {} } },
      told: { properties: { a: { enum: ['x', 'y'] }, b: {} }, required: ['a', 'b'] },
    };
    const less: Parts = {
      operation: {
        parameters: [{ name: 'N', in: 'query', schema: NAME, required: true }],
        security: [{ key: [] }],
      },
      sent: { type: 'object', properties: { a: { type: 'integer', maximum: 8 } }, required: ['a'] },
      told: { properties: { a: { enum: ['x'] } } },
    };
    expect(breaks(less, more)).to.deep.equal([]);
  });

  it('is what was deprecated, until the next major version', () => {
    const before: Parts = {
      operation: { ...named({ deprecated: true }).operation },
      told: { properties: { a: { deprecated: true } } },
    };
    expect(breaks(before, { version: '1.9.0' })).to.deep.equal([
      'POST /a n is gone',
      '200 to POST /a.a is gone',
    ]);
    expect(breaks(before, { version: '2.0.0' })).to.deep.equal([]);
    const operation = { deprecated: true };
    expect(breaks({ operation }, { path: '/b', version: '2.0.0' })).to.deep.equal([]);
  });

  it('is found in schemas that have names, and told once', () => {
    expect(whatBreaks(withServer({ properties: { id: {} } }), withServer({}))).to.deep.equal([
      'Server.id is gone',
    ]);
  });
});

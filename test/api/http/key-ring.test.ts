/** Keys, and what each opens: by scope, registry and time, and by the form in which a request has it. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { ServiceError } from '../../../src/model/service-error.ts';
import { Guard, type Access } from '../../../src/api/http/guard.ts';
import { KeyRing, keysOfFlags, SCOPES, sha256Of, type Key } from '../../../src/api/http/key-ring.ts';
import { runs } from '../../support/runs.ts';

const NOW = 1_800_000_000_000;
const base64 = (text: string) => Buffer.from(text).toString('base64');

function aKey(text: string, about: Partial<Key> = {}): Key {
  return { name: text, sha256: sha256Of(text), may: ['read'], ...about };
}

/** The name of the key that let the request in, 'no key' where it needs none, or the code of the refusal. */
function outcomeOf(guard: Guard, access: Access, authorization: string | undefined): string {
  try {
    const key = guard.check(access, authorization);
    return key === undefined ? 'no key' : (key.name ?? 'a key of a flag');
  } catch (error) {
    return (error as ServiceError).code;
  }
}

function aGuard(keys: readonly Key[], { publicRead = false } = {}): Guard {
  return new Guard({ ring: new KeyRing(keys, () => NOW), registry: 'racer', publicRead });
}

function namesIn(ring: KeyRing, ...asked: Parameters<KeyRing['find']>) {
  return [...ring.find(...asked)].map(({ name }) => name);
}

describe('a ring of keys', () => {
  it('finds a key by Bearer, bare, and as the password of Basic where that counts', () => {
    const ring = new KeyRing([aKey('secret'), aKey('other')]);
    for (const header of ['Bearer secret', 'bearer  secret', 'secret', `Basic ${base64('user:secret')}`])
      expect(namesIn(ring, header), header).to.deep.equal(['secret']);
    expect(namesIn(ring, `Basic ${base64('user:secret')}`, false)).to.deep.equal([]);
    expect(namesIn(ring, 'Bearer secret', false)).to.deep.equal(['secret']);
    for (const header of [undefined, '', 'Bearer', 'Bearer secre', 'Digest secret', sha256Of('secret')])
      expect(namesIn(ring, header), header).to.deep.equal([]);
  });

  it('finds a key until its time, and not from then on', () => {
    let now = NOW;
    const ring = new KeyRing([aKey('secret', { until: NOW + 1 })], () => now);
    expect(namesIn(ring, 'secret')).to.deep.equal(['secret']);
    now += 1;
    expect(namesIn(ring, 'secret')).to.deep.equal([]);
  });

  it('finds all keys of one text, each with its own rights', () => {
    const [one, two] = [aKey('same', { name: 'one', until: NOW }), aKey('same', { name: 'two' })];
    expect(namesIn(new KeyRing([one, two, two], () => NOW), 'same')).to.deep.equal(['two', 'two']);
    const guard = aGuard([
      aKey('same', { name: 'one', may: ['read'], registries: ['racer'] }),
      aKey('same', { name: 'two', may: ['announce'], registries: ['shooter'] }),
    ]);
    expect(outcomeOf(guard, 'read', 'same')).to.equal('one');
    expect(outcomeOf(guard, 'announce', 'same')).to.equal('not_allowed');
  });

  it('has other keys at once when they are replaced, and needs none when there are none', () => {
    const ring = new KeyRing([aKey('old')]);
    const guard = new Guard({ ring, registry: 'racer', publicRead: false });
    ring.replace([aKey('new')]);
    expect(['old', 'new'].map((key) => outcomeOf(guard, 'read', key))).to.deep.equal(['unauthorized', 'new']);
    ring.replace([]);
    expect(outcomeOf(guard, 'read', undefined)).to.equal('no key');
  });
});

describe('a guard', () => {
  const ALL: readonly Access[] = ['open', 'read', 'announce', 'bearer', 'any', 'operate', 'moderate'];
  const OF_CLIENTS = ['read', 'announce', 'bearer', 'any'];
  const neededWith = (keys: readonly Key[], registry: string | undefined) => {
    const guard = new Guard({ ring: new KeyRing(keys), registry, publicRead: false });
    return ALL.filter((access) => guard.needsKey(access));
  };

  for (const [what, keys, { clients, operators }] of [
    ['no key', [], { clients: false, operators: false }],
    ['--key', keysOfFlags({ authKeys: ['a'], adminKeys: [] }), { clients: true, operators: true }],
    ['--admin-key', keysOfFlags({ authKeys: [], adminKeys: ['a'] }), { clients: false, operators: false }],
    ['an operator', [aKey('a', { may: ['operate'] })], { clients: false, operators: true }],
    ['a moderator', [aKey('a', { may: ['moderate'] })], { clients: true, operators: false }],
    ['a key of it', [aKey('a', { registries: ['racer'] })], { clients: true, operators: true }],
    ['a key of another', [aKey('a', { registries: ['shooter'] })], { clients: false, operators: true }],
    ['a key that has ended', [aKey('a', { until: 0 })], { clients: true, operators: true }],
  ] as const)
    it(`needs keys of clients, of operators, or of moderators alone, with ${what}`, () => {
      const rest = [...(operators ? ['operate'] : []), 'moderate'];
      expect(neededWith(keys, 'racer')).to.deep.equal([...(clients ? OF_CLIENTS : []), ...rest]);
      expect(neededWith(keys, undefined)).to.deep.equal([...(operators ? OF_CLIENTS : []), ...rest]);
    });

  it('opens reading alone where reading is public, and ignores the header there', () => {
    const guard = aGuard([aKey('secret')], { publicRead: true });
    for (const header of [undefined, 'wrong', 'secret'])
      expect(outcomeOf(guard, 'read', header)).to.equal('no key');
    for (const access of ['announce', 'any', 'operate'] as const)
      expect(outcomeOf(guard, access, undefined)).to.equal('unauthorized');
  });

  it('says which scope a valid key lacks, and nothing else', () => {
    const guard = aGuard([aKey('secret', { registries: ['shooter'] }), aKey('other')]);
    const [not, takes] = ['this key is not allowed to do this', 'it takes a key with the scope'];
    for (const [access, says] of [
      ['read', `${not}: ${takes} read`],
      ['bearer', `${not}: ${takes} announce`],
      ['any', not],
    ] as const)
      expect(() => guard.check(access, 'secret'))
        .to.throw(ServiceError, new RegExp(`^${says}$`))
        .with.property('code', 'not_allowed');
  });

  it('lets a request in if, and only if, a key of the ring has its text, scope and registry, and its time', () => {
    const texts = ['a', 'b', 'Bearer a', 'é\u{1F511}'];
    const registries = ['racer', 'shooter', undefined];
    const keys = fc.array(
      fc.record({
        text: fc.constantFrom(...texts),
        may: fc.subarray([...SCOPES], { minLength: 1 }),
        registries: fc.option(fc.subarray(['racer', 'shooter']), { nil: undefined }),
        until: fc.constantFrom(undefined, NOW - 1, NOW, NOW + 1),
      }),
      { maxLength: 6 },
    );
    const form = fc.constantFrom<(key: string) => string>(
      (key) => `Bearer ${Buffer.from(key).toString('latin1')}`,
      (key) => Buffer.from(key).toString('latin1'),
      (key) => `Basic ${base64(`x:${key}`)}`,
    );
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom(...registries),
        fc.constantFrom(...ALL),
        fc.constantFrom(...texts, 'c'),
        form,
        (given, registry, access, text, formOf) => {
          const header = formOf(text);
          const ring = given.map(({ text: of, registries: at, until, ...key }, n): Key => ({
            ...key,
            name: String(n),
            sha256: sha256Of(of),
            ...(at && { registries: at }),
            ...(until !== undefined && { until }),
          }));
          const guard = new Guard({ ring: new KeyRing(ring, () => NOW), registry, publicRead: false });
          // A bare `Bearer a` may also mean the key `a`.
          const meant = header === 'Bearer a' ? ['a', 'Bearer a'] : [text];
          const takes = access !== 'bearer' || !header.startsWith('Basic');
          const valid = given.filter(
            (key) => takes && meant.includes(key.text) && NOW < (key.until ?? Infinity),
          );
          const scope = access === 'bearer' ? 'announce' : access;
          const fits = valid.some(
            ({ may, registries: at }) =>
              (scope === 'any' || (may as readonly string[]).includes(scope)) &&
              (at === undefined || at.some((name) => name === registry)),
          );
          const expected = fits ? 'in' : valid.length > 0 ? 'not_allowed' : 'unauthorized';
          const got = outcomeOf(guard, access, header);
          if (guard.needsKey(access)) expect(/^\d+$/.test(got) ? 'in' : got).to.equal(expected);
          else expect(got).to.equal('no key');
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});

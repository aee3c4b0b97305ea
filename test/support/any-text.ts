/** Texts of any code points, lone surrogates included. `unit: 'binary'` of fast-check takes over a second to build. */

import * as fc from 'fast-check';

export function anyText(maxLength?: number): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.nat(0x7f),
    fc.nat(0xffff),
    fc.nat(0x10_ffff),
    fc.constantFrom(0x200d, 0x202e, 0xd800),
  );
  return fc
    .array(codePoint, maxLength === undefined ? {} : { maxLength })
    .map((all) => String.fromCodePoint(...all));
}

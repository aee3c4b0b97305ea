/** Mocha requires it: GSLS_TEST_SEED, a number, makes the random input of all properties the same each time. */

import * as fc from 'fast-check';

const seed = process.env['GSLS_TEST_SEED'];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

/**
 * The places of the files of the package that are no code. The build puts this file into dist/program, which is as deep
 * in the package as this folder: the same paths hold in both.
 */

/** The manifest of the package: its version. */
export const MANIFEST = new URL('../../package.json', import.meta.url);

/** The folder that the build writes, for its sources as well. */
export const BUILT = new URL('../../dist/', import.meta.url);

/** A Config made of flags, variables and files that a test writes down, or the complaint about them. */

import { expect } from 'chai';
import { createConfig, type Config } from '../../../src/service/config/config.ts';
import type { Flags } from '../../../src/service/config/layers.ts';
import { UsageError } from '../../../src/runtime/usage-error.ts';

export interface Sources {
  flags?: Flags;
  environment?: Record<string, string>;
  files?: Record<string, string>;
}

export function configOf({ flags = {}, environment = {}, files = {} }: Sources): Config {
  const readFile = (path: string): string => {
    if (files[path] === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
    return files[path];
  };
  return createConfig({ flags, environment, readFile });
}

/** The message of the UsageError, which has to be one line. */
export function complaintOf(sources: Sources): string {
  try {
    configOf(sources);
  } catch (error) {
    expect(error).to.be.instanceOf(UsageError);
    const { message } = error as Error;
    expect(message).to.match(/^[^\n]+$/);
    return message;
  }
  throw new Error('there was nothing to complain about');
}

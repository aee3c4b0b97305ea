/** The client for C#: compiled by Mono's compiler, with warnings as errors, in the oldest C# that Unity 2021 takes. */

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/program.ts';
import type { JudgedClient } from './judged-client.ts';

const CLIENT = 'clients/csharp';
const COMPILER = ['-langversion:7', '-warn:4', '-warnaserror', '-r:System.Net.Http.dll', '-r:Mono.Posix.dll'];

/** Programs for the tests, in C#. */
export const CSHARP_SUPPORT = join(ROOT, 'test/clients/support/csharp');

interface CompileOptions {
  /** Files beside those of the client. */
  readonly sources: readonly string[];
  readonly out: string;
  readonly target?: 'exe' | 'library';
  /** Symbols, such as those of Unity. */
  readonly defines?: readonly string[];
  /** The folder of the version whose client it is. Defaults to this version. */
  readonly from?: string;
}

/** Compiles the client with these sources. Rejects with what the compiler says. */
export async function compileCSharp(options: CompileOptions): Promise<void> {
  const { sources, out, target = 'exe', defines = [], from = ROOT } = options;
  const folder = join(from, CLIENT, 'Runtime');
  const runtime = readdirSync(folder).filter((name) => name.endsWith('.cs'));
  const symbols = defines.map((symbol) => `-define:${symbol}`);
  const files = [...sources, ...runtime.map((name) => join(folder, name))];
  await promisify(execFile)('mcs', [...COMPILER, `-target:${target}`, `-out:${out}`, ...symbols, ...files]);
}

export const CSHARP: JudgedClient = {
  name: 'C#',
  needs: ['mcs', 'mono'],
  async build(into, from = ROOT) {
    const out = join(into, 'conformance.exe');
    await compileCSharp({ sources: [join(from, CLIENT, 'Conformance~/Conformance.cs')], out, from });
    return ['mono', out];
  },
};

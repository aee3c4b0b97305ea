/**
 * Registries with data files, for the tests of a describe block: opened in a directory of its own, closed after each
 * test.
 */

import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Backend } from '../../src/registry/backend.ts';
import { bodyOf, textOf } from './builders.ts';
import { openKeptRegistry, type KeptRegistryOptions } from './kept-registry.ts';
import { useDirectory } from './use-directory.ts';

/** How often a data file is checked, and a failed write tried again. */
export const CHECK_INTERVAL_MS = 5000;

export const HEADER = '{"gsls":"registry","format":1}\n';

export function listedLine(id: string, registeredVersion = 1): string {
  return `{"is":"listed","id":"${id}","registeredAt":${registeredVersion},"host":"h","name":"n","port":1,"ip":"203.0.113.7","players":0,"maxPlayers":0,"version":${registeredVersion},"isClaimed":false,"client":"","reachability":""}\n`;
}

export interface DataFiles {
  /** A path that nothing has yet. */
  readonly newPath: () => string;
  readonly openAt: (path: string, options?: KeptRegistryOptions) => Promise<Backend>;
  /** What a process would find that starts now, after this one was killed. */
  readonly openAfterCrash: (path: string, options?: KeptRegistryOptions) => Promise<Backend>;
}

/** Call it in a describe block. */
export function useDataFiles(): DataFiles {
  const newPath = useDirectory();
  const opened: Backend[] = [];
  afterEach(async () => {
    for (const registry of opened.splice(0)) await registry.close();
  });

  async function openAt(path: string, options: KeptRegistryOptions = {}): Promise<Backend> {
    const registry = await openKeptRegistry(path, options);
    opened.push(registry);
    return registry;
  }

  async function openAfterCrash(path: string, options: KeptRegistryOptions = {}): Promise<Backend> {
    const copy = newPath();
    await copyFile(path, copy);
    return openAt(copy, options);
  }

  return { newPath, openAt, openAfterCrash };
}

type FileHandleMethods = Pick<FileHandle, 'writeFile' | 'sync'>;

export interface Disk {
  /** What all file handles of this process do. A test replaces them; after it they are as before. */
  handles: FileHandleMethods;
  readonly original: FileHandleMethods;
}

/** Lets the tests of a describe block make writes fail or wait. */
export function useDisk(): Disk {
  const disk = {} as { handles: FileHandleMethods; original: FileHandleMethods };
  before(async () => {
    const handle = await open('/dev/null');
    disk.handles = Object.getPrototypeOf(handle) as FileHandleMethods;
    disk.original = { writeFile: disk.handles.writeFile, sync: disk.handles.sync };
    await handle.close();
  });
  afterEach(() => Object.assign(disk.handles, disk.original));
  return disk;
}

export async function listOf(registry: Pick<Backend, 'list'>): Promise<string> {
  return textOf(await registry.list());
}

export async function idsOf(registry: Pick<Backend, 'list'>): Promise<readonly string[]> {
  return (await bodyOf(await registry.list())).servers.map(({ id }) => id);
}

/** The lines of the file but for those of the settings, which are always there, and of the history. */
export function linesOf(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => !/"id":"(settings|history-.*?)"/.test(line));
}

/** The files beside this one whose names begin with its name. */
export function besides(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`));
}

/** Why the file cannot be used: one line with its path. */
export async function complaintAbout(path: string): Promise<string> {
  const { message } = await openKeptRegistry(path).then(
    () => expect.fail('it was used'),
    (error: Error) => error,
  );
  expect(message).to.match(/^[^\n]+$/);
  const beginning = `the data file ${path} cannot be used: `;
  expect(message.slice(0, beginning.length)).to.equal(beginning);
  return message;
}

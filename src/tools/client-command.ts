/**
 * The commands that ask a service, or stand beside a game server: each has options of its own, and loads nothing of the
 * service. cli.ts runs the one that is the first word.
 */

import type { Output } from './terminal/progress.ts';

/** The commands by name, with what each does, for the list of commands. */
export const CLIENT_COMMANDS = {
  announce: 'list a running game server without touching it',
  doctor: 'tell why a game server is not listed',
  list: 'print the list of a service',
  watch: 'follow the list of a service',
  simulate: 'let invented game servers live before a service',
  key: 'make a key for the configuration file',
  beacon: 'be a point whose distance players measure',
  conformance: 'judge a client by what it does on the wire',
} as const;

/** The process as a command sees it. */
export interface CommandContext {
  readonly version: string;
  readonly environment: Readonly<NodeJS.Dict<string>>;
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * `args`: the words behind its name. Resolves with the exit code, or never where a signal ends it. Rejects with a
 * UsageError (exit code 2), with another Error of one line (1), and with a CommanderError once it has printed its help.
 */
export type ClientCommand = (args: readonly string[], context: CommandContext) => Promise<number>;

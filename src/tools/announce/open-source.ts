/** The source that the settings of a game server name. Nothing is read yet. */

import type { GameServerSettings } from './config/announce-config.ts';
import type { Source } from './sources/game-state.ts';
import { createExec } from './sources/exec.ts';
import { createQuery } from './sources/query.ts';
import { createStateFile } from './sources/state-file.ts';

/** `env`: the variables of the programs that are run. */
export function openSource(
  { source, queryTimeoutMs: timeoutMs }: GameServerSettings,
  env: Readonly<NodeJS.Dict<string>>,
): Source {
  if (source.is === 'query') return createQuery(source.kind, source.target, { timeoutMs });
  if (source.is === 'exec') return createExec(source.command, { timeoutMs, env });
  return createStateFile(source.path, { timeoutMs, maxAgeMs: source.maxAgeMs });
}

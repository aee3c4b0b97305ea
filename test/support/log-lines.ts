/** The lines that the service can log, as its source has them. */

import { readdirSync, readFileSync } from 'node:fs';

const SOURCE = new URL('../../src/', import.meta.url);

/** `gsls announce` has a log of its own. */
const OF_SIDECAR = /^tools[/\\]announce[/\\]/;

const TEXT = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const FIELDS = /\{(?:[^{}]|\{[^{}]*\})*\}|[\w.]+/.source;
const CALL = new RegExp(String.raw`logger\.(info|warn|error|fatal)\(\s*(?:${FIELDS}),\s*(${TEXT})`, 'g');
const RELOAD = new RegExp(String.raw`^  (\w+):\s+(${TEXT}),$`, 'gm');
const RISK = new RegExp(String.raw`yield (${TEXT})`, 'g');

/** Each line from level info on, as `level message`; `…` stands for what differs. */
export function logLines(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !OF_SIDECAR.test(name),
  );
  const source = files.map((name) => readFileSync(new URL(name, SOURCE), 'utf8')).join('\n');
  const reloads = /RELOADS[^{]*\{(.*?)^\}/ms.exec(source)![1]!;
  const risks = /function\* risksIn.*?^\}/ms.exec(source)![0];
  return [
    ...[...source.matchAll(CALL)].map(([, level, text]) => [level!, text!]),
    ...[...reloads.matchAll(RELOAD)].map(([, reason, text]) => [reason === 'reset' ? 'info' : 'warn', text!]),
    ...[...risks.matchAll(RISK)].map(([, text]) => ['warn', text!]),
  ].map(
    ([level, text]) => `${level} ${text!.slice(1, -1).replaceAll(/(?:\$\{(?:[^{}]|\{[^{}]*\})*\})+/g, '…')}`,
  );
}

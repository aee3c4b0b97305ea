/** The HAProxy of docs/deploy.md that passes TCP, and names the clients by the PROXY protocol. */

import { writeFileSync } from 'node:fs';
import { addressOf } from '../../src/model/address-of.ts';
import type { Address } from './ask.ts';
import { codeOf, readDocument } from './markdown.ts';
import { startProgram, type RunningProcess } from './processes.ts';
import { replaceEach } from './replace-each.ts';

/** The address from which it connects to the replicas, so that these know it from clients on this machine. */
export const PROXY = '127.0.0.9';

const at = ({ host, port }: Address): string => addressOf(host, port);

/** Starts it at `front`, before two replicas. `file`: where its configuration is to be. */
export function startTcpHaproxy(
  file: string,
  front: Address,
  replicas: readonly [Address, Address],
): RunningProcess {
  const { text } = codeOf(readDocument('docs/deploy.md')).find(({ language }) => language === 'haproxy')!;
  writeFileSync(
    file,
    replaceEach(text, [
      ['defaults\n', 'defaults\n    log stdout format raw local0 notice\n'],
      [':53600\n    balance', `${at(front)}\n    balance`],
      ['10.0.0.11:53600', `${at(replicas[0])} source ${PROXY}`],
      ['10.0.0.12:53600', `${at(replicas[1])} source ${PROXY}`],
    ]),
  );
  return startProgram('haproxy', ['-db', '-f', file]);
}

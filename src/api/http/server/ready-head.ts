/** The heads of answers as text, for answers that are sent many times. */

import { STATUS_CODES, validateHeaderName, validateHeaderValue, type OutgoingHttpHeader } from 'node:http';

/** The status line and these headers. Throws as linesOf(). */
export function renderHead(status: number, headers: readonly OutgoingHttpHeader[]): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${linesOf(headers)}`;
}

/** Header lines from names and values in turn. Throws Node's error for names and values that no header can have. */
export function linesOf(headers: readonly OutgoingHttpHeader[]): string {
  let lines = '';
  for (let i = 0; i < headers.length; i += 2) {
    const name = String(headers[i]);
    validateHeaderName(name);
    for (const value of [headers[i + 1]!].flat()) {
      validateHeaderValue(name, String(value));
      lines += `${name}: ${value}\r\n`;
    }
  }
  return lines;
}

let second = 0;
let date = '';
let kept = 0;
let end = '';

/** The end of each head on a connection that is kept for so many seconds: the date, that time, and the empty line. */
export function endOfHead(keptForS: number): string {
  const now = Math.floor(Date.now() / 1000);
  if (now === second && kept === keptForS) return end;
  if (now !== second) date = new Date(now * 1000).toUTCString();
  [second, kept] = [now, keptForS];
  end = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keptForS}\r\n\r\n`;
  return end;
}

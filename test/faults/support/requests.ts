/** A request as a game server or a reader sends it: over connections that stay open, and never waited for too long. */

import { request, type Agent, type IncomingHttpHeaders } from 'node:http';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RequestOptions {
  readonly agent: Agent;
  /** Sent as JSON. */
  readonly fields?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** After this the client hangs up. */
  readonly giveUpAfterMs: number;
}

/** Rejects when there is no whole answer: the message is the code of the error, or `no answer`. */
export function send(to: Address, method: string, path: string, options: RequestOptions): Promise<Answer> {
  const { agent, fields, headers, giveUpAfterMs } = options;
  const body = fields && JSON.stringify(fields);
  return new Promise((resolve, reject) => {
    const sent = request({
      ...to,
      method,
      path,
      agent,
      headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
    });
    const patience = setTimeout(() => sent.destroy(new Error('no answer')), giveUpAfterMs);
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(patience);
      reject(new Error(error.code ?? error.message));
    };
    sent.on('error', fail);
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(patience);
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        });
      });
    });
    sent.end(body);
  });
}

/**
 * Writes a long body to a response in pieces, each one when the previous one was taken: this shows the progress of the
 * reader, and lets go of what it has taken.
 */

import type { ServerResponse } from 'node:http';
import type { Rope } from '../../../runtime/bytes/rope.ts';

/**
 * At the minimum pace (answers-in-flight.ts) a piece takes 64 s, which is within LONGEST_PAUSE_S; smaller pieces cost
 * long lists a fifth of their speed.
 */
export const PIECE_BYTES = 1024 * 1024;

export interface RopeEvents {
  /** The reader has taken so many bytes more, and by now so many parts of the rope as a whole. */
  readonly onTaken: (bytes: number, wholeParts: number) => void;
  /** The last piece is written, and not yet taken. */
  readonly onWritten?: () => void;
  /** All is taken. It is not called if the connection ends before. */
  readonly onDone: () => void;
}

export function writeRope(response: ServerResponse, rope: Rope, events: RopeEvents): void {
  const pieces = rope.pieces(PIECE_BYTES);
  const writeNext = (): void => {
    const { buffers, isLast, wholeParts } = pieces.next().value!;
    // Node corks the socket until the end of this round of the event loop: the piece goes to the system in one call.
    for (const buffer of buffers.slice(0, -1)) response.write(buffer);
    response.write(buffers.at(-1)!, (error) => {
      if (error || response.req.socket.destroyed) return;
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
      events.onTaken(bytes, isLast ? rope.parts.length : wholeParts);
      if (isLast) events.onDone();
      else writeNext();
    });
    if (isLast) events.onWritten?.();
  };
  writeNext();
}

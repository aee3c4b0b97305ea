/**
 * Writes a long body to a response in pieces, each one after the previous one was taken: this shows the progress of the
 * reader, and releases the parts that it has taken.
 */

import type { ServerResponse } from 'node:http';
import type { Rope } from '../../../runtime/bytes/rope.ts';

/**
 * The length of a piece: at the minimum pace (answers-in-flight.ts) it takes 64 s, less than LONGEST_PAUSE_S. Smaller
 * pieces would cost long lists a fifth of their speed.
 */
export const PIECE_BYTES = 1024 * 1024;

export interface RopeEvents {
  /** Called with the bytes that the reader has newly taken, and the parts of the rope taken as a whole by now. */
  readonly onTaken: (bytes: number, wholeParts: number) => void;
  /** Called when the last piece is written, but not yet taken. */
  readonly onWritten?: () => void;
  /** Called when everything is taken. It is not called if the connection ends before. */
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

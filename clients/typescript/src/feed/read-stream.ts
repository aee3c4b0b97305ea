/** Reads a stream of events as it comes, until it ends or is silent for too long. */

import { MOST_CHARACTERS, type Call } from '../call.ts';
import { FeedFailure } from './changes-answer.ts';
import type { EventStreamParser } from './event-stream.ts';

/** A first event is large, and a connection may be slow: after so many characters the client waits as long again. */
const PROGRESS_CHARACTERS = 8192;

export interface StreamPatience {
  /** Whether the first event has come. */
  readonly hasCome: () => boolean;
  /** How long a stream may be silent after its first event, in ms. */
  readonly silenceMs: number;
  /** How long the first event, or at least a good part of it, may take, in ms. */
  readonly firstNewsMs: number;
}

/** Rejects as read() of the call, and with a FeedFailure for an event without end. */
export async function readStream(
  call: Call,
  response: Response,
  parser: EventStreamParser,
  { hasCome, silenceMs, firstNewsMs }: StreamPatience,
): Promise<void> {
  let characters = 0;
  await call.read(response, (text) => {
    if (call.isEnded) return;
    parser.push(text);
    if (parser.pending > MOST_CHARACTERS) throw new FeedFailure('refused');
    characters += text.length;
    if (hasCome()) call.allowSilence(silenceMs);
    else if (characters >= PROGRESS_CHARACTERS) {
      characters = 0;
      call.allowSilence(firstNewsMs);
    }
  });
}

/** The room of the live feed: changes of the list, as answers and as streams. */

import type { Context, Room } from '../http/context.ts';
import { refuseUnread } from '../http/limits/long-queries.ts';
import { describedIn } from '../http/route.ts';
import { createChanges } from './changes.ts';
import { Streams, type StreamEvents, type StreamsOptions } from './streams.ts';

/** The limits of streams. */
export type ChangesRoomOptions = Pick<
  StreamsOptions,
  'most' | 'mostPerAddress' | 'ofAll' | 'intervalMs' | 'maxWaitingBytes'
>;

export interface ChangesContext extends Context {
  readonly options: ChangesRoomOptions;
  readonly onStreams: Omit<StreamEvents, 'onError'>;
}

const describe = describedIn(() => import('./operations.ts'));

export function openChanges(context: ChangesContext): Room {
  const { turns } = context;
  const streams = createStreams(context);
  return {
    routes: [
      {
        method: 'GET',
        path: '/changes',
        endpoint: refuseUnread(createChanges({ ...context, streams }), turns),
        access: 'read',
        kind: 'list',
        input: 'query',
        cors: 'reading',
        describe: describe('changes'),
      },
    ],
  };
}

function createStreams({
  options,
  logger,
  maskAddress,
  deadlines,
  onStreams,
  ...shared
}: ChangesContext): Streams {
  return new Streams({
    ...shared,
    ...options,
    lifeMs: deadlines.streamMs,
    events: {
      ...onStreams,
      onCutOff(reason, remoteAddress) {
        onStreams.onCutOff(reason, remoteAddress);
        logger.debug({ reason, remoteAddress: maskAddress(remoteAddress) }, 'a stream was cut off');
      },
      onError: (error) => logger.error({ err: error }, 'the streams failed unexpectedly'),
    },
  });
}

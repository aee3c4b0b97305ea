/** The schemas of histories: that of the list, and that of one game server. */

import { HISTORY_STEPS } from '../../../registry/history-record.ts';
import { arrayOf, COUNT, ID, object, SUCCESS, TIME } from './schemas.ts';

const UPTIME = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: 'The share of the time looked at in which it was listed; null if no replica looked.',
};

export const HISTORY_SCHEMAS = {
  History: object({
    status: SUCCESS,
    step: { type: 'string', enum: Object.keys(HISTORY_STEPS) },
    points: arrayOf(
      object({
        time: { ...TIME, description: 'The beginning of the minute or the hour.' },
        servers: { ...COUNT, description: 'On average.' },
        players: { ...COUNT, description: 'On average.' },
        peak_players: { ...COUNT, description: 'The most at any moment.' },
      }),
    ),
  }),
  ServerHistory: object({
    status: SUCCESS,
    id: ID,
    points: arrayOf(
      object({
        time: { ...TIME, description: 'The beginning of the hour or the day.' },
        step: { type: 'string', enum: ['hour', 'day'] },
        players: { ...COUNT, description: 'On average, while it was listed.' },
        peak_players: { ...COUNT, description: 'The most at any look; there is one each minute.' },
        uptime: UPTIME,
      }),
    ),
    uptime: UPTIME,
  }),
};

/** The schema of what a mirror says of its origins. */

import { ORIGIN_STATES } from '../../../registry/mirror/origin.ts';
import { arrayOf, COUNT, object, TEXT } from './schemas.ts';

export const ORIGINS = {
  ...arrayOf(
    object({
      name: TEXT,
      state: {
        type: 'string',
        enum: ORIGIN_STATES,
        description:
          '`stale`: it says so itself. `held`: it has lost most of its list. `given_up`: away for too long.',
      },
      age: { ...COUNT, description: 'How old its list is, in seconds; 0 if it is current.' },
      servers: COUNT,
    }),
  ),
  description: 'In a mirror: the registries whose lists it hands out.',
};

/** What the descriptions of the endpoints for moderators share. */

import { json } from '../docs/openapi/answer-schemas.ts';
import { queryFields } from '../docs/openapi/request-schemas.ts';
import { authorSchema } from './validation.ts';

export const AUTHOR = queryFields(authorSchema);
export const BODY = { status: 'success' };
export const SUCCESS_ANSWER = json('Success', 'Done', BODY);
export const MODERATION = { tag: 'Moderation' } as const;
export const LISTING = { ...MODERATION, takesWork: true, errors: ['registry_unavailable'] } as const;

/** Asks for the unlisted server that has a join code. What it may come to are outcomes, which a person is told. */

import { AnswerError, getJson, type Answers } from '../connection/get-json.ts';

export type JoinOutcome =
  | { readonly is: 'found'; readonly id: string }
  /** No server has it. */
  | { readonly is: 'unknown' }
  /** This address has tried too many. */
  | { readonly is: 'limited' }
  /** The service is not reached, or has no list. */
  | { readonly is: 'away' };

/** A code has ten characters; a person may separate them. */
export const LONGEST_CODE = 40;

export async function findByCode(text: string, signal: AbortSignal): Promise<JoinOutcome> {
  const code = text.replaceAll(/[\s-]/g, '');
  // Another character would make another path of it, and no code has one.
  if (!/^[a-z\d]+$/i.test(code) || text.length > LONGEST_CODE) return { is: 'unknown' };
  try {
    const { server } = await getJson<Answers['OneServer']>(`join/${code}`, signal);
    return { is: 'found', id: server.id };
  } catch (error) {
    return { is: error instanceof AnswerError ? outcomeOf(error.code) : 'away' };
  }
}

function outcomeOf(code: string | undefined): 'unknown' | 'limited' | 'away' {
  switch (code) {
    case 'unknown_join_code':
    // Such a service has no unlisted servers.
    case 'not_found':
      return 'unknown';
    case 'rate_limited':
      return 'limited';
  }
  return 'away';
}

/** Limits how long a caller waits. */

import { ServiceError } from '../../../model/service-error.ts';

/** Waits for the work. Rejects with a ServiceError `registry_unavailable` after `limitMs`; the work goes on. */
export async function withinDeadline<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ServiceError('registry_unavailable')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waiting for no longer than a limit. */

import { ServiceError } from '../../../model/service-error.ts';

/** Rejects with a ServiceError `registry_unavailable` when the time is over; the work goes on. */
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

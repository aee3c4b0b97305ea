/** All operations that a service may have. */

import { ADMIN_OPERATIONS } from './admin-operations.ts';
import type { ApiOptions, Operations } from './operation.ts';
import { PAGE_OPERATIONS } from './page-operations.ts';
import { readOperations } from './read-operations.ts';
import { SERVICE_OPERATIONS } from './service-operations.ts';
import { writeOperations } from './write-operations.ts';

export function operationsOf(options: ApiOptions): Operations {
  return {
    ...writeOperations(options),
    ...readOperations(options),
    ...PAGE_OPERATIONS,
    ...SERVICE_OPERATIONS,
    ...ADMIN_OPERATIONS,
  };
}

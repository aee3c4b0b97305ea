/** The cache of lists in deploy/nginx/gsls.conf. */

import { describeListCache } from '../../support/describe-list-cache.ts';
import { shippedNginx, startNginx } from '../../support/nginx.ts';

describeListCache({
  program: 'nginx',
  start: ({ newPath, port, replicaPorts }) =>
    startNginx(newPath(), shippedNginx({ port, replicaPorts, cache: newPath(), isCaching: true })),
});

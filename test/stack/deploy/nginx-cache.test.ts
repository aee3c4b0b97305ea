/** The cache of lists in deploy/nginx/gsls.conf. */

import { describeListCache } from '../../support/describe-list-cache.ts';
import { shippedNginx, startNginx } from '../../support/nginx.ts';

describeListCache({
  program: 'nginx',
  start: ({ newPath, ...site }) => startNginx(newPath(), shippedNginx({ ...site, cache: newPath() })),
});

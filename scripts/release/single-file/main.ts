/** The entry of the single file. */

import cluster from 'node:cluster';

// node:cluster starts a worker with the path of a script before its words, and here is no script.
if (cluster.isWorker) process.argv.splice(2, 1);

void import('../../../src/cli.ts');

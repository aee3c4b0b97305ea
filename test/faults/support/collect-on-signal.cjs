/**
 * Loaded into a replica: on SIGURG it collects all its garbage. How much of that a busy process holds says nothing of
 * whether it leaks.
 */

const v8 = require('node:v8');
const vm = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
process.on('SIGURG', () => collect());

import { MemoryRegistry } from '../../src/registry/memory-registry.ts';
import { describeRegistry, lifetime } from '../support/describe-registry.ts';

describeRegistry('memory', async (options) => new MemoryRegistry({ lifetime, ...options }));

/** The clients that the kit judges, in the order of the table. */

import { C } from './c.ts';
import { CSHARP } from './csharp.ts';
import type { JudgedClient } from './judged-client.ts';
import { PYTHON } from './python.ts';
import { TYPESCRIPT } from './typescript.ts';

export const CLIENTS: readonly JudgedClient[] = [TYPESCRIPT, PYTHON, CSHARP, C];

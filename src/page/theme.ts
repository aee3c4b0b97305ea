/** Runs before anything is drawn, so that nobody sees another theme first than the chosen one. */

import { applyKeptTheme } from './parts/theme.ts';

applyKeptTheme();

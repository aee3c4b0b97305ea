/** Runs before anything is drawn, so that nobody sees another look first than the one that was chosen. */

import { applyKeptTheme } from './parts/theme.ts';

applyKeptTheme();

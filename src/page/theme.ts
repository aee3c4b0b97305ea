/**
 * Runs before anything is drawn, so that nobody sees another theme first than the chosen one, or other rows than those
 * of the last visit's filters.
 */

import { recallView } from './address/last-view.ts';
import { applyKeptTheme } from './parts/theme.ts';

applyKeptTheme();
recallView();

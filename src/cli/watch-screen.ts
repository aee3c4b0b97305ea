/** A watched list on the screen of the terminal of this process: drawn when something differs, and not too often. */

import { isServer } from '../client/changes-answer.ts';
import { isColorful } from '../terminal/colors.ts';
import { changesBetween, type Screen } from '../terminal/screen.ts';
import { WatchView } from '../terminal/watch-view.ts';
import { loadWidths } from '../terminal/widths.ts';
import type { CommandContext } from './client-command.ts';
import { TerminalSession } from './terminal-session.ts';
import { startFeed, type Watched } from './watched.ts';

/** Frames come no faster. */
const FRAME_MS = 100;

/** Resolves never: it ends the process once a person or a signal asks for it. */
export async function showScreen(watched: Watched, { environment, stdout }: CommandContext): Promise<void> {
  await loadWidths();
  const { url, query, sort, columns, ask } = watched;
  const view = new WatchView(`${url} ${query}`.trim(), sort);
  const hasColors = isColorful(environment);
  let shown: Screen | undefined;
  let drawnAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  const draw = (): void => {
    timer = undefined;
    timerAt = Infinity;
    const now = Date.now();
    drawnAt = now;
    const size = { columns: Math.max(1, stdout.columns ?? 80), rows: Math.max(1, stdout.rows ?? 24) };
    const { screen, staysUntil } = view.draw({ columns, size, isColorful: hasColors }, now);
    const bytes = changesBetween(shown, screen);
    shown = screen;
    if (bytes !== '') stdout.write(bytes);
    if (staysUntil !== Infinity) drawAt(staysUntil);
  };
  /** At this time, ms, or before. */
  const drawAt = (at: number): void => {
    const soonest = Math.max(at, drawnAt + FRAME_MS);
    if (soonest >= timerAt) return;
    clearTimeout(timer);
    timerAt = soonest;
    timer = setTimeout(draw, Math.max(0, soonest - Date.now()));
  };

  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const session = new TerminalSession({
    onKey(key) {
      const wish = view.press(key);
      if (wish === 'quit') return end();
      if (wish === 'suspend') session.suspend();
      else if (wish === 'redraw') shown = undefined;
      else if (wish !== undefined) void openServer(wish.open);
      drawAt(0);
    },
    onChange() {
      shown = undefined;
      drawAt(0);
    },
    onEnd: () => end(),
  });
  async function openServer(id: string): Promise<void> {
    const { body } = await ask({ method: 'GET', path: `/servers/${encodeURIComponent(id)}` });
    if (!isServer(body['server'])) return;
    view.setDetails(body['server']);
    drawAt(0);
  }

  session.open();
  const stop = startFeed(watched, {
    onChanges(changes) {
      view.take(changes, Date.now());
      drawAt(0);
    },
    onState(state, cause) {
      view.setState(state, cause);
      drawAt(0);
    },
  });
  drawAt(0);
  await ended;
  stop();
  clearTimeout(timer);
  session.close();
  // A request may be under way: nobody waits for it.
  process.exit(0);
}

/** Has a screen reader say what a button has done. */

/** A text is read when it changes, and not when its element is new. */
const CHANGE_AFTER_MS = 100;
const GONE_AFTER_MS = 3000;

export function sayAloud(text: string): void {
  const region = document.createElement('div');
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  // What is outside of an open dialog is not read.
  (document.querySelector('dialog:modal') ?? document.body).append(region);
  setTimeout(() => (region.textContent = text), CHANGE_AFTER_MS);
  setTimeout(() => region.remove(), GONE_AFTER_MS);
}

/** Puts a text on the clipboard, on pages without TLS too. */

/** Whether it is there now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused, or no secure context.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // In a modal dialog nothing outside of it can be selected.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  // Deprecated, and the only way without a secure context.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

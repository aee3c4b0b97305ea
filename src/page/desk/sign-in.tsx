/** The form in which a moderator enters a key, and what the tab keeps of it. */

import type { JSX } from 'preact';
import type { DeskTexts } from '../texts/desk-texts.ts';
import type { Signed } from './desk-api.ts';

/** The name under which the tab keeps it. No other tab has it, and it ends with this one. */
const KEPT = 'gsls-desk';

export function keptSigned(): Signed | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Partial<Signed> | null;
    return typeof kept?.key === 'string' && typeof kept.author === 'string' ? (kept as Signed) : undefined;
  } catch {
    return undefined;
  }
}

export function keepSigned(signed: Signed | undefined): void {
  try {
    if (signed === undefined) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify(signed));
  } catch {
    // Without a storage the moderator signs in again after a reload.
  }
}

export interface SignInProps {
  readonly texts: DeskTexts;
  readonly refusal: string | undefined;
  readonly isWaiting: boolean;
  readonly onEnter: (signed: Signed) => void;
}

export function SignIn({ texts: { title, signIn }, refusal, isWaiting, onEnter }: SignInProps): JSX.Element {
  const enter = (form: HTMLFormElement): void => {
    const { key, author } = Object.fromEntries(new FormData(form)) as Record<keyof Signed, string>;
    onEnter({ key, author: author.trim() });
  };
  return (
    <main class="desk-sign-in">
      <form
        class="card desk-form"
        onSubmit={(event) => {
          event.preventDefault();
          enter(event.currentTarget);
        }}
      >
        <h1>{title}</h1>
        <label>
          {signIn.key}
          <input class="field" type="password" name="key" autoComplete="off" autoFocus required />
          <small class="muted">{signIn.hint}</small>
        </label>
        <label>
          {signIn.author}
          <input class="field" name="author" autoComplete="nickname" required maxLength={64} />
        </label>
        <p class="desk-problem" role="alert">
          {refusal}
        </p>
        <button class="button is-main" disabled={isWaiting}>
          {signIn.enter}
        </button>
      </form>
    </main>
  );
}

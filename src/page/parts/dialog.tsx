/** A dialog with its title and a button that closes it. It is modal as long as it is drawn. */

import './dialog.css';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { usePage } from './page-context.ts';

export interface DialogProps {
  /** A class of its own, from which the id of its title is made too. */
  readonly name: string;
  readonly title: string;
  /** The id of what describes all of it. */
  readonly describedBy?: string;
  /** A person has closed it. */
  readonly onClose: () => void;
  /** In a grid of two columns, below the title; a form has its parts in it. */
  readonly children: ComponentChildren;
}

export function Dialog({ name, title, describedBy, onClose, children }: DialogProps): JSX.Element {
  const { texts } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  const titleId = `${name}-title`;
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) onClose();
      }}
      onClick={({ target }) => {
        if (target === dialog.current) close();
      }}
    >
      <div class="dialog-content">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={close}>
          <Icon name="close" />
        </button>
        {children}
      </div>
    </dialog>
  );
}

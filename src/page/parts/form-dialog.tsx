/** A dialog that is one form, with its title and a button that closes it. It is modal as long as it is drawn. */

import './form-dialog.css';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { usePage } from './page-context.ts';

export interface FormDialogProps {
  /** A class of its own, from which its ids are made too. */
  readonly name: string;
  readonly title: string;
  readonly onSubmit: () => void;
  /** A person has closed it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog({ name, title, onSubmit, onClose, children }: FormDialogProps): JSX.Element {
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
      class={`form-dialog ${name}`}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) onClose();
      }}
      onClick={({ target }) => {
        if (target === dialog.current) close();
      }}
    >
      <form
        class="form-dialog-content"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={close}>
          <Icon name="close" />
        </button>
        {children}
      </form>
    </dialog>
  );
}

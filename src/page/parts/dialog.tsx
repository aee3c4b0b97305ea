/** A dialog with its title and a button that closes it. It is modal as long as it is rendered. */

import './dialog.css';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { usePage } from './page-context.ts';

export interface DialogProps {
  /** The class of the dialog, from which the id of its title is also made. */
  readonly name: string;
  readonly title: string;
  /** The id of the element that describes the dialog. */
  readonly describedBy?: string;
  /** Called when a person has closed it. */
  readonly onClose: () => void;
  /** The content, in a grid of two columns below the title. A form lays its parts out in that grid. */
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

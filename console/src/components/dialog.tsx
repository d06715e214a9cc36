import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from '../lib/use-focus-back.ts';
import classes from './dialog.module.css';

/** The frame of every dialog. Its title and its footer stay in sight while its body scrolls. With `onSubmit` it is a form. */
export function Dialog({ onSubmit, children, ...rest }: ModalProps & { onSubmit?: () => void }) {
  useFocusBack(rest.opened);
  return (
    <Modal {...rest} classNames={{ title: classes.title, content: classes.content }}>
      {onSubmit ? (
        <form
          className={classes.body}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {children}
        </form>
      ) : (
        <div className={classes.body}>{children}</div>
      )}
    </Modal>
  );
}

/** The last part of a dialog: its buttons, the main one last. `note` stands at the other end. */
export const DialogFooter = ({ note, children }: { note?: ReactNode; children: ReactNode }) => (
  <div className={classes.footer}>
    {note && <p className={classes.note}>{note}</p>}
    {children}
  </div>
);

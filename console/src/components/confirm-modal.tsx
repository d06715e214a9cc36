import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { focusFirstField } from '../lib/dialog-keys.ts';
import classes from './confirm-modal.module.css';
import { Dialog, DialogFooter } from './dialog.tsx';
import { ErrorPanel } from './error-panel.tsx';

/**
 * States the consequences before an action. The button names the action, never "OK". The page closes the dialog when
 * the mutation succeeds.
 */
export function ConfirmModal({
  opened,
  onClose,
  title,
  consequences,
  children,
  action,
  danger = false,
  disabled = false,
  mutation,
  onConfirm,
  size = 'md',
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** One sentence each. */
  consequences?: ReactNode[];
  children?: ReactNode;
  action: string;
  danger?: boolean;
  disabled?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a mutation of whatever kind; only its state is read.
  mutation: Pick<UseMutationResult<any, any, any, any>, 'isPending' | 'error' | 'reset'>;
  onConfirm: () => void;
  size?: string;
}) {
  const close = () => {
    if (mutation.isPending) return;
    mutation.reset();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      // A click outside does not discard what was entered.
      closeOnClickOutside={!children}
      title={title}
      size={size}
      onSubmit={() => {
        if (!disabled && !mutation.isPending) onConfirm();
      }}
    >
      {children}
      {consequences && consequences.length > 0 && (
        <ul className={classes.consequences}>
          {consequences.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences never move.
            <li key={index}>{sentence}</li>
          ))}
        </ul>
      )}
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <DialogFooter>
        <Button variant="default" onClick={close} disabled={mutation.isPending}>
          Cancel
        </Button>
        <Button
          ref={focusFirstField}
          data-danger={danger || undefined}
          type="submit"
          color={danger ? 'red' : 'brand'}
          loading={mutation.isPending}
          disabled={disabled}
        >
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

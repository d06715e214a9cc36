import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Dialog, DialogFooter } from './dialog.tsx';
import classes from './secret-modal.module.css';

/**
 * Shows a secret, which is possible only once. A click outside does not close it: the operator must confirm that the
 * secret is stored.
 */
export function SecretModal({
  title,
  secret,
  children,
  onClose,
}: {
  title: string;
  /** Null: there is nothing to show. */
  secret: string | null;
  children: ReactNode;
  onClose: () => void;
}) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <Dialog
      opened={secret !== null}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.words}>{children}</div>
      <div className={classes.secret}>
        <code className={classes.code}>{secret}</code>
        <Button
          onClick={() => copy(secret)}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          data-autofocus
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className={classes.once}>
        <IconAlertTriangle size={16} className={classes.icon} />
        <span>It is shown only once and cannot be retrieved later. Copy it now.</span>
      </p>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          I have saved it
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

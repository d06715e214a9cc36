import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './account-page.module.css';

/** Shows the recovery codes, which is possible only once. */
export function RecoveryCodes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <div className={classes.stack}>
      <p className={classes.text} role="status">
        <strong>Save these recovery codes now.</strong> Each one lets you sign in once without your phone.
        They are not shown again.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(codes.join('\n'))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onStored}>I have saved them</Button>
      </div>
    </div>
  );
}

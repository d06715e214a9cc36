import { CloseButton } from '@mantine/core';
import { dismissToast, useToasts } from '../lib/toasts.ts';
import classes from './toaster.module.css';

/** The live region is always present, because screen readers announce only changes inside an existing one. */
export function Toaster() {
  const toasts = useToasts();
  return (
    <div className={classes.region} role="status" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} className={classes.toast} data-tone={tone}>
          <span className={classes.mark} aria-hidden />
          <span>{text}</span>
          <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismissToast(id)} />
        </div>
      ))}
    </div>
  );
}

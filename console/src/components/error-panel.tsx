import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../lib/api.ts';
import classes from './error-panel.module.css';

interface Advice {
  title: string;
  advice: string;
}

/** Advice for the operator, by the kind of failure. */
function adviceFor(error: unknown): Advice {
  const status = error instanceof ApiError ? error.status : -1;
  if (status === 0)
    return {
      title: 'No response from the server',
      advice: 'Check your connection. The server may also be restarting: try again in a moment.',
    };
  if (status === 403 && /^(Change your password|Set up a second factor)/.test((error as ApiError).message))
    return {
      title: 'Your account setup is incomplete',
      advice: 'Open “Account and password” in the menu at the top right.',
    };
  if (status === 403)
    return {
      title: 'Your role does not allow this',
      advice: 'Ask an administrator to do it, or to give you the required role.',
    };
  if (status === 404)
    return {
      title: 'Not found',
      advice: 'Check that the address is complete and that the right program is selected in the menu.',
    };
  if (status === 429)
    return { title: 'Too many attempts', advice: 'Wait for the time shown, then try again.' };
  if (status === 503)
    return {
      title: 'The server is not ready',
      advice: 'Its database is unavailable. Try again in a moment.',
    };
  if (status >= 400 && status < 500) return { title: 'The request was rejected', advice: '' };
  return {
    title: 'Something went wrong on the server',
    advice:
      'Try again. If the problem continues, send the request id below to your server administrator. The server log contains the cause.',
  };
}

/** In a long dialog it appears below what is in sight. */
const intoSight = (panel: HTMLElement | null): void =>
  panel?.closest('[role="dialog"]') ? panel.scrollIntoView({ block: 'nearest' }) : undefined;

/** Shows an error where it happened, with advice. */
export function ErrorPanel({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { title, advice } = adviceFor(error);
  const words = error instanceof ApiError && error.status !== 0 ? inWords(error.message) : '';
  return (
    <div ref={intoSight} className={classes.panel} role="alert">
      <IconAlertTriangle size={18} className={classes.icon} />
      <div className={classes.words}>
        <strong>{title}</strong>
        {words && <span>{words}</span>}
        {advice && <span className={classes.advice}>{advice}</span>}
        {error instanceof ApiError && error.requestId && error.status >= 500 && (
          <span className="mono">Request id {error.requestId}</span>
        )}
      </div>
      {retry && (
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Replaces the field path of the API by words: `meta.otpPhoneNumber.dialCode: is required` is about the dial code. */
function inWords(message: string): string {
  const [, path, rule] = /^([A-Za-z][\w.[\]]*): (.+)$/s.exec(message) ?? [];
  const field = path?.split('.').at(-1);
  if (!field || !rule) return message;
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${rule}.`;
}

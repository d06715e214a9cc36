import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { refusalWords, reportConfirmation } from '../../lib/openid.ts';
import { useTitle } from '../../lib/use-title.ts';
import classes from '../sign-in/sign-in-page.module.css';

const route = getRouteApi('/confirmed');

export function ConfirmedPage() {
  useTitle('Confirmation');
  const { refused } = route.useSearch();
  useEffect(() => reportConfirmation(refused), [refused]);
  return (
    <main className={classes.page}>
      <div className={classes.form}>
        <h1 className={classes.title}>{refused ? 'Not confirmed' : 'Confirmed'}</h1>
        <p className={classes.help}>{refused && `${refusalWords(refused)} `}You can close this window.</p>
      </div>
    </main>
  );
}

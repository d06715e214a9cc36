import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { sessionQuery, useSession } from '../../lib/session.ts';
import classes from './account-page.module.css';
import { ConfirmationModal } from './confirmation-modal.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Loaded on demand, because it includes the QR code generator. */
const Enrolment = lazy(() => import('./enrolment.tsx'));

type Doing = 'enrolling' | 'renewing' | 'removing' | null;

export function SecondFactor() {
  const { operator } = useSession();
  const queryClient = useQueryClient();
  const [doing, setDoing] = useState<Doing>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const done = (shown: string[] | null) => {
    setDoing(null);
    setCodes(shown);
    void queryClient.invalidateQueries(sessionQuery);
  };
  if (codes) return <RecoveryCodes codes={codes} onStored={() => setCodes(null)} />;
  if (doing === 'enrolling')
    return (
      <Suspense>
        <Enrolment onDone={done} onCancel={() => setDoing(null)} />
      </Suspense>
    );
  if (!operator.hasSecondFactor)
    return (
      <div className={classes.stack}>
        <p className={classes.text}>
          With a second factor, each sign-in also needs a code from an authenticator app on your phone. A
          stolen password alone is then not enough.
        </p>
        <Button onClick={() => setDoing('enrolling')}>Set up a second factor</Button>
      </div>
    );
  return (
    <div className={classes.stack}>
      <p className={classes.text}>
        Each sign-in needs a code from your authenticator app. {leftWords(operator.recoveryCodes)}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setDoing('renewing')}>
          Create new recovery codes
        </Button>
        <Button variant="default" color="red" onClick={() => setDoing('removing')}>
          Remove second factor
        </Button>
      </div>
      {(doing === 'renewing' || doing === 'removing') && (
        <ConfirmationModal kind={doing} onDone={done} onClose={() => setDoing(null)} />
      )}
    </div>
  );
}

const leftWords = (count: number): string => {
  if (count === 0) return 'No recovery codes left. Create new ones.';
  return count === 1 ? '1 recovery code left.' : `${count} recovery codes left.`;
};

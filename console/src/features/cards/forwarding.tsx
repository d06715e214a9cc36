import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './controls.module.css';
import { forwardingQuery } from './queries.ts';
import { useCardChange } from './use-card-change.ts';

const nothing = () => {};

/** How the cardholder confirms online payments. */
export function Forwarding({ card }: { card: CardDetails }) {
  const { id: programId } = useProgram();
  const mayChange = useMay('manager');
  const { data, error } = useQuery(forwardingQuery(programId, card.id));
  const mutation = useCardChange(
    card,
    (api, path, enabled: boolean) => api.put(`${path}3ds-forwarding/`, { enabled }),
    { done: `3-D Secure of ••••\u00a0${card.lastFour} changed`, onClose: nothing },
  );
  const failure = error ?? mutation.error;
  return (
    <div>
      <h3 className={classes.title}>3-D Secure</h3>
      {data && (
        <Switch
          label="Confirm online payments in your app"
          description="On: your app gets the event authentication.challenge and answers it. Off: the cardholder enters a one-time password."
          checked={data.enabled}
          disabled={!mayChange || mutation.isPending}
          onChange={(event) => mutation.mutate(event.currentTarget.checked)}
        />
      )}
      {failure && <ErrorPanel error={failure} />}
    </div>
  );
}

import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { RealTime } from '../../components/real-time.tsx';
import { type Tone, ToneBadge } from '../../components/status-badge.tsx';
import { answerWords, isGood } from './delivery-state.ts';
import classes from './endpoint-row.module.css';
import { type Attempt, type Endpoint, EVENT_TYPES } from './queries.ts';

export type EndpointAction = 'edit' | 'test' | 'pause' | 'rotate' | 'enable' | 'remove';

const LABELS: Record<EndpointAction, string> = {
  edit: 'Edit',
  test: 'Send test',
  pause: 'Pause',
  rotate: 'Rotate secret',
  enable: 'Enable',
  remove: 'Remove',
};

const STATES: Record<Endpoint['status'], readonly [Tone, string]> = {
  ENABLED: ['good', 'Enabled'],
  PAUSED: ['warn', 'Paused'],
  DISABLED: ['bad', 'Disabled'],
};

export function EndpointRow({
  endpoint,
  lastAttempt,
  onAction,
}: {
  endpoint: Endpoint;
  /** The newest attempt among the loaded events. */
  lastAttempt: Attempt | undefined;
  /** Absent if the operator's role is read-only. */
  onAction?: ((action: EndpointAction, endpoint: Endpoint) => void) | undefined;
}) {
  const { url, status, statusReason, eventTypes, created } = endpoint;
  const isOff = status === 'DISABLED';
  const isPaused = status === 'PAUSED';
  const isFailing = status === 'ENABLED' && lastAttempt !== undefined && !isGood(lastAttempt);
  const actions: EndpointAction[] = isOff
    ? ['enable', 'edit', 'test', 'rotate', 'remove']
    : ['edit', 'test', 'pause', 'rotate', 'remove'];
  const labelOf = (action: EndpointAction) => (action === 'pause' && isPaused ? 'Resume' : LABELS[action]);
  const isMain = (action: EndpointAction) => action === 'enable' || (action === 'pause' && isPaused);
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <span className={classes.head}>
          <strong className={classes.url}>{url}</strong>
          {isFailing ? (
            <ToneBadge tone="bad">Failing: {answerWords(lastAttempt)}</ToneBadge>
          ) : (
            <ToneBadge tone={STATES[status][0]}>{STATES[status][1]}</ToneBadge>
          )}
        </span>
        <span className={classes.small}>
          {eventTypes === null ? 'All events' : eventTypes.map((type) => EVENT_TYPES[type].label).join(', ')}
          {' · added '}
          <RealTime value={created} />
        </span>
        {isFailing && (
          <p className={classes.off}>
            <IconAlertTriangle size={16} className={classes.icon} />
            <span>
              The last attempt, <RealTime value={lastAttempt.created} absolute />, failed. Each event is
              retried for three days.
            </span>
          </p>
        )}
        {isPaused && <p className={classes.small}>Paused: events wait and are sent when you resume it.</p>}
        {isOff && (
          <p className={classes.off}>
            <IconAlertTriangle size={16} className={classes.icon} />
            <span>
              {statusReason ? `Disabled: ${statusReason}` : 'This endpoint is disabled'}. No events are sent
              until you enable it; you can then resend what is undelivered.
            </span>
          </p>
        )}
      </div>
      {onAction && (
        <div className={classes.actions}>
          {actions.map((action) => (
            <Button
              key={action}
              size="xs"
              variant={action === 'remove' ? 'subtle' : isMain(action) ? 'filled' : 'default'}
              color={action === 'remove' ? 'red' : 'brand'}
              aria-label={`${labelOf(action)}: ${url}`}
              onClick={() => onAction(action, endpoint)}
            >
              {labelOf(action)}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}

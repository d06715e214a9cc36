import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Sessions } from '../lib/api-types.gen.ts';
import { ErrorPanel } from './error-panel.tsx';
import { RealTime } from './real-time.tsx';
import classes from './session-list.module.css';
import { ToneBadge } from './status-badge.tsx';

/** Sessions with their device, address, first and last use. */
export function SessionList({
  sessions,
  onEnd,
  ending,
  actions,
}: {
  sessions: Sessions['sessions'];
  onEnd: (id: string) => void;
  // biome-ignore lint/suspicious/noExplicitAny: only the state of the mutation is read.
  ending: Pick<UseMutationResult<any, any, any, any>, 'isPending' | 'error'>;
  actions?: ReactNode;
}) {
  return (
    <>
      {sessions.length === 0 && <p className={classes.none}>No open sessions.</p>}
      <ul className={classes.list} aria-label="Sessions">
        {sessions.map(({ id, device, address, created, lastUsed, isCurrent }) => (
          <li key={id} className={classes.session}>
            <div className={classes.words}>
              <strong>{device}</strong> {isCurrent && <ToneBadge tone="good">This session</ToneBadge>}
              <span className={classes.small}>
                {address && (
                  <>
                    <span className="mono">{address}</span> ·{' '}
                  </>
                )}
                signed in <RealTime value={created} />, last used <RealTime value={lastUsed} />
              </span>
            </div>
            {!isCurrent && (
              <Button
                size="xs"
                flex="none"
                variant="default"
                disabled={ending.isPending}
                aria-label={`End the session of ${device}`}
                onClick={() => onEnd(id)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ending.error && <ErrorPanel error={ending.error} />}
      {actions && <div className={classes.actions}>{actions}</div>}
    </>
  );
}

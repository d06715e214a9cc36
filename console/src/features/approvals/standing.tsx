import { RealTime } from '../../components/real-time.tsx';
import { type Tone, ToneBadge } from '../../components/status-badge.tsx';
import classes from './approvals-page.module.css';
import type { Approval } from './queries.ts';
import { STATUS_FILTERS } from './status-filter.ts';

const TONES: Record<Approval['status'], Tone> = {
  PENDING: 'warn',
  APPROVED: 'good',
  REJECTED: 'bad',
  WITHDRAWN: 'quiet',
  FAILED: 'bad',
  EXPIRED: 'quiet',
};

/** The status of an approval with who decided it, until when it waits, or why it failed. */
export function Standing({ approval, you }: { approval: Approval; you: string }) {
  const { status, decidedBy, decided, expires, reason } = approval;
  return (
    <span className={classes.lines}>
      <span>
        <ToneBadge tone={TONES[status]}>{STATUS_FILTERS[status]}</ToneBadge>
      </span>
      <span className={`${classes.small} ${classes.whole}`}>
        {decided === null ? (
          <>
            {status === 'PENDING' ? 'until' : 'on'} <RealTime value={expires} absolute />
          </>
        ) : (
          <>
            {status !== 'WITHDRAWN' && `by ${decidedBy?.id === you ? 'you' : decidedBy?.name}, `}
            <RealTime value={decided} />
          </>
        )}
      </span>
      {reason && <span className={classes.small}>{reason}</span>}
    </span>
  );
}

import { IconAlertTriangle, IconClock, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { RealTime } from '../../components/real-time.tsx';
import { formatCount } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import classes from './audit-page.module.css';
import { type AuditVerification, verificationQuery } from './queries.ts';

/** Whether the entries are as they were written. A worker verifies them; this shows its result. */
export function Verification({ chain }: { chain: string | undefined }) {
  const { id } = useProgram();
  const { data } = useQuery(verificationQuery(id, chain));
  if (!data) return <div className={classes.verification} data-tone="quiet" />;
  if (data.tampering) return <Tampering tampering={data.tampering} verified={data.verified} />;
  if (!data.verified)
    return (
      <p className={classes.verification} data-tone="quiet" role="status">
        <IconClock size={18} />
        <span>Not verified yet. The server verifies new entries every minute.</span>
      </p>
    );
  const { position, at } = data.verified;
  const rest = data.entries - position + data.waiting;
  return (
    <p className={classes.verification} data-tone="good" role="status">
      <IconShieldCheck size={18} />
      <span>
        <strong>Verified.</strong> All {formatCount(position)} entries of the chain are as they were written.
        Last verified <RealTime value={at} />
        {rest > 0 && `; ${formatCount(rest)} newer ${rest === 1 ? 'entry follows' : 'entries follow'}`}.
      </span>
    </p>
  );
}

type Found = NonNullable<AuditVerification['tampering']>;

const WHAT: Record<Found['what'], (entry: string) => string> = {
  changed: (entry) => `${entry} was changed, or an entry before it was removed`,
  missing: (entry) => `${entry} is missing`,
  added: (entry) => `${entry} was inserted by something other than Emboss`,
  cut: () => 'The chain was truncated or rebuilt: its earlier end is missing',
};

function Tampering({ tampering, verified }: { tampering: Found } & Pick<AuditVerification, 'verified'>) {
  const { what, entryId, position, found } = tampering;
  const entry = entryId ? `Entry ${entryId}` : 'An entry';
  return (
    <div className={classes.verification} data-tone="bad" role="alert">
      <IconAlertTriangle size={18} />
      <span>
        <strong>The audit log was altered.</strong> {WHAT[what](entry)}
        {position !== null && ` (position ${formatCount(position)})`}. Found <RealTime value={found} />
        {verified && (
          <>
            ; the chain was last verified <RealTime value={verified.at} absolute />
          </>
        )}
        . Later entries are not verified. Compare the database with a backup.
      </span>
    </div>
  );
}

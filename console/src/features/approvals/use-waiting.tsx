import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { RealTime } from '../../components/real-time.tsx';
import type { RequestedApproval } from '../../lib/api-types.gen.ts';
import { formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { termsQuery } from '../program/queries.ts';

/**
 * For a dialog whose change may need a second person. `show` returns true if the answer says so; the dialog then renders
 * `dialog` in its place.
 */
export function useWaiting(onClose: () => void): {
  show: (answer: unknown) => boolean;
  dialog: ReactNode;
} {
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const [requested, setRequested] = useState<RequestedApproval | null>(null);
  return {
    show: (answer) => {
      if (!isRequested(answer)) return false;
      setRequested(answer);
      void queryClient.invalidateQueries({ queryKey: [programId, 'approvals'] });
      return true;
    },
    dialog: requested && <WaitingDialog requested={requested} onClose={onClose} />,
  };
}

/** What a dialog says about an amount that needs a second person; undefined for other amounts. */
export function useSecondPersonWords(amount: number): string | undefined {
  const { id: programId, currency } = useProgram();
  const above = useQuery(termsQuery(programId)).data?.secondPersonAbove ?? null;
  if (above === null || !(amount > Number(above))) return undefined;
  return `Another operator must approve amounts above ${formatMoney(above, currency)}. Until then nothing changes.`;
}

const isRequested = (answer: unknown): answer is RequestedApproval =>
  typeof answer === 'object' && answer !== null && 'approvalId' in answer;

function WaitingDialog({ requested, onClose }: { requested: RequestedApproval; onClose: () => void }) {
  const { id: programId } = useProgram();
  return (
    <Dialog opened onClose={onClose} title="Waiting for a second person">
      <p>
        Nothing has changed yet. Another operator with the role can approve your request until{' '}
        <RealTime value={requested.expires} absolute />.
      </p>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          data-autofocus
          renderRoot={(props) => (
            <Link to="/programs/$programId/approvals" params={{ programId }} {...props} />
          )}
        >
          Show approvals
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

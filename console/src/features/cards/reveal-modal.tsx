import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import type { CardDetails, Credentials } from '../../lib/types.ts';
import { useCountdown } from '../../lib/use-countdown.ts';
import classes from './modals.module.css';
import { refreshCard } from './queries.ts';

const SHOWN_SECONDS = 30;
const SHORTEST_REASON = 3;

/** Number and CVV exist only in this dialog and for a short time: never in the cache and never in the URL. */
export default function RevealModal({ card, onClose }: { card: CardDetails; onClose: () => void }) {
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [shown, setShown] = useState<Credentials | null>(null);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: async (why: string) => {
      setShown(await api.post<Credentials>(`cards/${encodeURIComponent(card.id)}/reveal/`, { reason: why }));
    },
    onSettled: () => refreshCard(queryClient, programId),
  });
  if (shown) return <Revealed card={card} credentials={shown} onClose={onClose} />;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Reveal the number of ••••\u00a0${card.lastFour}?`}
      consequences={[
        'The number, expiry date and CVV are shown for 30 seconds. Anyone who sees them can pay with the card.',
        'Every reveal is audited: your name and the reason are recorded first.',
      ]}
      action="Reveal for 30 seconds"
      disabled={reason.trim().length < SHORTEST_REASON}
      mutation={mutation}
      onConfirm={() => mutation.mutate(reason.trim())}
    >
      <Textarea
        label="Reason"
        description="A case number or a short explanation. Do not enter card numbers."
        maxLength={255}
        autosize
        minRows={2}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmModal>
  );
}

function Revealed({
  card,
  credentials: { cardNumber, cvv, expiryMonth, expiryYear },
  onClose,
}: {
  card: CardDetails;
  credentials: Credentials;
  onClose: () => void;
}) {
  const left = useCountdown(SHOWN_SECONDS, onClose);
  const expiry = `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear).slice(-2)}`;
  return (
    <Dialog opened onClose={onClose} title={`${card.cardholderName}'s card`}>
      <dl className={classes.secrets}>
        <div className={`${classes.secret} ${classes.wide}`}>
          <dt>Card number</dt>
          <dd>
            {cardNumber.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}
            <CopyButton value={cardNumber} label="Copy card number" />
          </dd>
        </div>
        <div className={classes.secret}>
          <dt>Expiry date</dt>
          <dd>
            {expiry}
            <CopyButton value={expiry} label="Copy expiry date" />
          </dd>
        </div>
        <div className={classes.secret}>
          <dt>CVV</dt>
          <dd>
            {cvv}
            <CopyButton value={cvv} label="Copy CVV" />
          </dd>
        </div>
      </dl>
      <DialogFooter note={`Hidden in ${left} s`}>
        <Button variant="default" onClick={onClose}>
          Hide now
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSnowflake } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { ApiError } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import type { Card } from '../../lib/types.ts';
import classes from './bulk-freeze.module.css';
import { refreshCard } from './queries.ts';

const MOST_CARDS = 100;

export interface FreezeResult {
  card: Card;
  /** Null: frozen. */
  error: string | null;
}

/**
 * Freezes the selected cards, each as a change of its own. The page shows the results: frozen cards can leave the list,
 * and this button with them.
 */
export function BulkFreeze({ cards, onDone }: { cards: Card[]; onDone: (results: FreezeResult[]) => void }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const mutation = useMutation({
    mutationFn: async () => {
      const done: FreezeResult[] = [];
      for (const card of cards) done.push({ card, error: await freeze(card) });
      return done;
    },
    onSuccess: (done) => {
      close();
      onDone(done);
      void refreshCard(queryClient, programId);
    },
  });
  const freeze = (card: Card): Promise<string | null> =>
    api.put(`merchant/cards/${card.id}/freeze/`, { freeze: true, reason: reason.trim() }).then(
      () => null,
      (error) => (error instanceof ApiError ? error.message : 'not frozen'),
    );
  const words = `${cards.length} ${cards.length === 1 ? 'card' : 'cards'}`;
  const isTooMany = cards.length > MOST_CARDS;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isTooMany}
        leftSection={<IconSnowflake size={15} />}
        onClick={open}
      >
        Freeze
      </Button>
      {isTooMany && <span>At most {MOST_CARDS} cards can be frozen together.</span>}
      <ConfirmModal
        opened={opened}
        onClose={close}
        title={`Freeze ${words}?`}
        consequences={[
          'All new purchases with these cards are declined immediately.',
          'Each card is frozen on its own and can be unfrozen at any time.',
        ]}
        action={`Freeze ${words}`}
        disabled={reason.trim() === ''}
        mutation={mutation}
        onConfirm={() => mutation.mutate()}
      >
        <TextInput
          label="Reason"
          description="Shown on each card and in its history. Do not enter card numbers."
          maxLength={255}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmModal>
    </>
  );
}

export function FreezeResults({ results, onClose }: { results: FreezeResult[]; onClose: () => void }) {
  const frozen = results.filter(({ error }) => error === null).length;
  return (
    <Dialog
      opened={results.length > 0}
      onClose={onClose}
      title={`${frozen} of ${results.length} cards frozen`}
    >
      <ul className={classes.list} aria-label="Results">
        {results.map(({ card, error }) => (
          <li key={card.id} className={classes.result}>
            <span>
              {card.cardholderName} <span className="num">•••• {card.lastFour}</span>
            </span>
            <ToneBadge tone={error === null ? 'cool' : 'bad'}>
              {error ?? (card.status === 'FROZEN' ? 'Already frozen' : 'Frozen')}
            </ToneBadge>
          </li>
        ))}
      </ul>
      <DialogFooter>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

import { Button, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { ApiError, download } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Card } from '../../lib/types.ts';
import classes from './bulk-actions.module.css';
import { BULK_KINDS, type BulkName, type BulkResult, countedCards, runBulk } from './bulk-kinds.ts';
import { refreshCard } from './queries.ts';

/** The server exports no more at once, and each card is changed on its own. */
const MOST_CARDS = 100;

export interface BulkOutcome {
  name: BulkName;
  results: BulkResult[];
}

/**
 * What can be done with the selected cards. The page shows the results: changed cards can leave the list, and these buttons
 * with them.
 */
export function BulkActions({ cards, onDone }: { cards: Card[]; onDone: (outcome: BulkOutcome) => void }) {
  const [name, setName] = useState<BulkName | null>(null);
  if (cards.length > MOST_CARDS) return <span>Select at most {MOST_CARDS} cards.</span>;
  return (
    <>
      {(Object.keys(BULK_KINDS) as BulkName[]).map((each) => {
        const Shape = BULK_KINDS[each].icon;
        return (
          <Button
            key={each}
            size="xs"
            variant="default"
            leftSection={<Shape size={15} />}
            onClick={() => setName(each)}
          >
            {each}
          </Button>
        );
      })}
      <ExportSelection cards={cards} />
      {name && <BulkModal name={name} cards={cards} onClose={() => setName(null)} onDone={onDone} />}
    </>
  );
}

function BulkModal({
  name,
  cards,
  onClose,
  onDone,
}: {
  name: BulkName;
  cards: Card[];
  onClose: () => void;
  onDone: (outcome: BulkOutcome) => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const kind = BULK_KINDS[name];
  const field = 'field' in kind ? kind.field : undefined;
  const mutation = useMutation({
    mutationFn: () => runBulk(kind, api, cards, text),
    onSuccess: (results) => {
      onClose();
      onDone({ name, results });
      void refreshCard(queryClient, programId);
    },
  });
  const words = countedCards(cards.length);
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={kind.title(words)}
      consequences={kind.consequences}
      action={kind.action(words)}
      disabled={field !== undefined && text === ''}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      {field && (
        <TextInput
          label={field.label}
          description={field.description}
          maxLength={field.longest}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </ConfirmModal>
  );
}

function ExportSelection({ cards }: { cards: Card[] }) {
  const { id: programId } = useProgram();
  const mutation = useMutation({
    mutationFn: () => download(programId, 'cards/export/', { ids: cards.map(({ id }) => id).join() }),
    onError: (error) =>
      showToast(error instanceof ApiError ? error.message : 'The export was interrupted.', 'bad'),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={mutation.isPending}
      leftSection={<IconDownload size={15} />}
      onClick={() => mutation.mutate()}
    >
      Export
    </Button>
  );
}

export function BulkResults({ name, results, onClose }: BulkOutcome & { onClose: () => void }) {
  const { done, doneAll } = BULK_KINDS[name];
  const changed = results.filter(({ error }) => error === null).length;
  return (
    <Dialog opened onClose={onClose} title={doneAll(`${changed} of ${countedCards(results.length)}`)}>
      <ul className={classes.list} aria-label="Results">
        {results.map(({ card, error }) => (
          <li key={card.id} className={classes.result}>
            <span>
              {card.cardholderName} <span className="num">••••&nbsp;{card.lastFour}</span>
            </span>
            <ToneBadge tone={error === null ? 'cool' : 'bad'}>{error ?? done(card)}</ToneBadge>
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

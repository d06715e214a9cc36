import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import type { Card } from '../../lib/types.ts';
import { BULK_KINDS, type BulkName, type BulkOutcome, countedCards, runBulk } from './bulk-kinds.ts';
import { refreshCard } from './queries.ts';

export default function BulkModal({
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

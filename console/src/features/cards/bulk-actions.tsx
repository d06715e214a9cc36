import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiError, download } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Card } from '../../lib/types.ts';
import { BULK_KINDS, type BulkName, type BulkOutcome } from './bulk-kinds.ts';

const BulkModal = lazy(() => import('./bulk-modal.tsx'));

/** The server exports no more at once, and each card is changed on its own. */
const MOST_CARDS = 100;

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
      {name && (
        <Suspense>
          <BulkModal name={name} cards={cards} onClose={() => setName(null)} onDone={onDone} />
        </Suspense>
      )}
    </>
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

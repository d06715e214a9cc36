import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useProgram } from '../../lib/program.ts';
import type { CardDetails } from '../../lib/types.ts';
import { cardQuery } from '../cards/queries.ts';
import { CREATE_CARD } from './palette-words.ts';

const Palette = lazy(() => import('./palette.tsx'));
const CreateCardModal = lazy(() => import('../cards/create-card-modal.tsx'));
type CardDialog = ComponentType<{ card: CardDetails; onClose: () => void }>;
const CARD_DIALOGS: Record<string, CardDialog> = {
  freeze: lazy(() => import('../cards/freeze-modal.tsx')),
  reissue: lazy(() => import('../cards/reissue-modal.tsx')),
  replace: lazy(() => import('../cards/replace-modal.tsx')),
};

/** Ctrl or Cmd with K opens the palette, unless a dialog is open. It is loaded then; what is typed meanwhile is kept. */
export function CommandPalette() {
  const [opened, setOpened] = useState(false);
  const [query, setQuery] = useState('');
  const [dialog, setDialog] = useState<string | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isShortcut) return;
      event.preventDefault();
      if (!document.querySelector('[role="dialog"][aria-modal="true"]')) setOpened(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (!opened) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isText || document.activeElement?.closest('[role="dialog"]')) return;
      event.preventDefault();
      event.stopPropagation();
      setQuery((before) => before + event.key);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [opened]);
  const close = () => setDialog(null);
  const closePalette = () => {
    setOpened(false);
    setQuery('');
  };
  return (
    <Suspense>
      {opened && <Palette query={query} onQuery={setQuery} onClose={closePalette} onOpen={setDialog} />}
      {dialog === CREATE_CARD && <CreateCardModal onClose={close} />}
      {dialog !== null && dialog in CARD_DIALOGS && <OpenCardDialog name={dialog} onClose={close} />}
    </Suspense>
  );
}

/** A dialog about the card of the current page. */
function OpenCardDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { id: programId } = useProgram();
  const { cardId = '' } = useParams({ strict: false }) as { cardId?: string };
  const { data: card } = useQuery(cardQuery(programId, cardId));
  const Dialog = CARD_DIALOGS[name];
  return card && Dialog ? <Dialog card={card} onClose={onClose} /> : null;
}

import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-actions.module.css';

const MODALS = {
  freeze: lazy(() => import('./freeze-modal.tsx')),
  block: lazy(() => import('./block-modal.tsx')),
  reissue: lazy(() => import('./reissue-modal.tsx')),
};

/** What can be done to the card in its state, by whoever looks. What the role does not reach is not shown. */
export function CardActions({ card }: { card: CardDetails }) {
  const mayStop = useMay('support');
  const mayReissue = useMay('admin');
  const [asked, setAsked] = useState<keyof typeof MODALS | null>(null);
  const Modal = asked && MODALS[asked];
  if (!mayStop) return <span className={classes.hint}>Your role is read-only.</span>;
  // The page says above why: a block is for good.
  if (card.status === 'BLOCKED') return null;
  return (
    <>
      {card.status !== 'EXPIRED' && (
        <Button
          variant="default"
          leftSection={<Icon name={card.status === 'FROZEN' ? 'sunrise' : 'snow'} size={16} />}
          onClick={() => setAsked('freeze')}
        >
          {card.status === 'FROZEN' ? 'Unfreeze' : 'Freeze'}
        </Button>
      )}
      {mayReissue && (
        <Button
          variant="default"
          leftSection={<Icon name="renew" size={16} />}
          onClick={() => setAsked('reissue')}
        >
          Reissue
        </Button>
      )}
      <Button
        variant="default"
        className={classes.block ?? ''}
        leftSection={<Icon name="block" size={16} />}
        onClick={() => setAsked('block')}
      >
        Block
      </Button>
      {Modal && (
        <Suspense>
          <Modal card={card} onClose={() => setAsked(null)} onReissue={() => setAsked('reissue')} />
        </Suspense>
      )}
    </>
  );
}

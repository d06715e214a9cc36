import { Button } from '@mantine/core';
import { IconBan, IconRefresh, IconSnowflake, IconSunrise } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-actions.module.css';

const MODALS = {
  freeze: lazy(() => import('./freeze-modal.tsx')),
  block: lazy(() => import('./block-modal.tsx')),
  reissue: lazy(() => import('./reissue-modal.tsx')),
};

/** The actions that the card's state and the operator's role allow. Others are not shown. */
export function CardActions({ card }: { card: CardDetails }) {
  const mayAct = useMay('support');
  const mayBlock = useMay('manager');
  const [asked, setAsked] = useState<keyof typeof MODALS | null>(null);
  const Modal = asked && MODALS[asked];
  if (!mayAct) return <span className={classes.hint}>Your role is read-only.</span>;
  // A block is permanent, as the page explains above.
  if (card.status === 'BLOCKED') return null;
  return (
    <>
      {card.status !== 'EXPIRED' && (
        <Button
          variant="default"
          leftSection={card.status === 'FROZEN' ? <IconSunrise size={16} /> : <IconSnowflake size={16} />}
          onClick={() => setAsked('freeze')}
        >
          {card.status === 'FROZEN' ? 'Unfreeze' : 'Freeze'}
        </Button>
      )}
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => setAsked('reissue')}>
        Reissue
      </Button>
      {mayBlock && (
        <Button
          variant="default"
          className={classes.block ?? ''}
          leftSection={<IconBan size={16} />}
          onClick={() => setAsked('block')}
        >
          Block
        </Button>
      )}
      {Modal && (
        <Suspense>
          <Modal card={card} onClose={() => setAsked(null)} onReissue={() => setAsked('reissue')} />
        </Suspense>
      )}
    </>
  );
}

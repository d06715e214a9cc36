import { Button } from '@mantine/core';
import { IconBan, IconRefresh, IconReplace, IconSnowflake, IconSunrise } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-actions.module.css';

const MODALS = {
  freeze: lazy(() => import('./freeze-modal.tsx')),
  block: lazy(() => import('./block-modal.tsx')),
  reissue: lazy(() => import('./reissue-modal.tsx')),
  replace: lazy(() => import('./replace-modal.tsx')),
};

/** The actions that the card's state and the operator's role allow. Others are not shown. */
export function CardActions({ card }: { card: CardDetails }) {
  const mayAct = useMay('support');
  const mayReplace = useMay('manager');
  const [asked, setAsked] = useState<keyof typeof MODALS | null>(null);
  const Modal = asked && MODALS[asked];
  if (!mayAct) return <span className={classes.hint}>Your role is read-only.</span>;
  return (
    <>
      {card.status === 'BLOCKED' ? (
        !card.replacedBy &&
        mayReplace && (
          <Button leftSection={<IconReplace size={16} />} onClick={() => setAsked('replace')}>
            Issue replacement
          </Button>
        )
      ) : (
        <Changes card={card} onAsk={setAsked} />
      )}
      {Modal && (
        <Suspense>
          <Modal
            card={card}
            onClose={() => setAsked(null)}
            onReissue={() => setAsked('reissue')}
            onBlocked={() => setAsked('replace')}
          />
        </Suspense>
      )}
    </>
  );
}

function Changes({ card, onAsk }: { card: CardDetails; onAsk: (asked: keyof typeof MODALS) => void }) {
  const mayBlock = useMay('manager');
  return (
    <>
      {card.status !== 'EXPIRED' && (
        <Button
          variant="default"
          leftSection={card.status === 'FROZEN' ? <IconSunrise size={16} /> : <IconSnowflake size={16} />}
          onClick={() => onAsk('freeze')}
        >
          {card.status === 'FROZEN' ? 'Unfreeze' : 'Freeze'}
        </Button>
      )}
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => onAsk('reissue')}>
        Reissue
      </Button>
      {mayBlock && (
        <Button
          variant="default"
          className={classes.block ?? ''}
          leftSection={<IconBan size={16} />}
          onClick={() => onAsk('block')}
        >
          Block
        </Button>
      )}
    </>
  );
}

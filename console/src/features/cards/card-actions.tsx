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
  const [opened, setOpened] = useState<keyof typeof MODALS | null>(null);
  const Modal = opened && MODALS[opened];
  if (!mayAct) return <span className={classes.hint}>Your role is read-only.</span>;
  return (
    <>
      {card.status === 'BLOCKED' ? (
        !card.replacedBy &&
        mayReplace && (
          <Button leftSection={<IconReplace size={16} />} onClick={() => setOpened('replace')}>
            Issue replacement
          </Button>
        )
      ) : (
        <Changes card={card} onOpen={setOpened} />
      )}
      {Modal && (
        <Suspense>
          <Modal
            card={card}
            onClose={() => setOpened(null)}
            onReissue={() => setOpened('reissue')}
            onBlocked={() => setOpened('replace')}
          />
        </Suspense>
      )}
    </>
  );
}

function Changes({ card, onOpen }: { card: CardDetails; onOpen: (opened: keyof typeof MODALS) => void }) {
  const mayBlock = useMay('manager');
  return (
    <>
      {card.status !== 'EXPIRED' && (
        <Button
          variant="default"
          leftSection={card.status === 'FROZEN' ? <IconSunrise size={16} /> : <IconSnowflake size={16} />}
          onClick={() => onOpen('freeze')}
        >
          {card.status === 'FROZEN' ? 'Unfreeze' : 'Freeze'}
        </Button>
      )}
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => onOpen('reissue')}>
        Reissue
      </Button>
      {mayBlock && (
        <Button
          variant="default"
          className={classes.block ?? ''}
          leftSection={<IconBan size={16} />}
          onClick={() => onOpen('block')}
        >
          Block
        </Button>
      )}
    </>
  );
}

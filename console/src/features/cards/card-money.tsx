import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Panel } from '../../components/page.tsx';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-money.module.css';

const AdjustModal = lazy(() => import('./adjust-modal.tsx'));

export function CardMoney({ card }: { card: CardDetails }) {
  const mayAdjust = useMay('manager');
  const [adjusting, { open, close }] = useDisclosure(false);
  return (
    <Panel>
      <div className={classes.money}>
        <div>
          <p className={classes.label}>
            {card.status === 'BLOCKED' ? 'Remaining balance (cannot be spent)' : 'Available credit'}
          </p>
          <p className={classes.value} data-negative={card.availableCredit < 0 || undefined}>
            <Amount value={card.availableCredit} currency={card.currency} />
          </p>
        </div>
        {mayAdjust && (
          <Button variant="default" size="xs" onClick={open}>
            Adjust
          </Button>
        )}
      </div>
      {card.availableCredit < 0 && (
        <p className={classes.note}>
          Negative balance: a merchant cleared more than was on hold. Purchases are declined until the balance
          is positive again.
        </p>
      )}
      {adjusting && (
        <Suspense>
          <AdjustModal card={card} onClose={close} />
        </Suspense>
      )}
    </Panel>
  );
}

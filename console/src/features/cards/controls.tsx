import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Amount } from '../../components/amount.tsx';
import { describeCategory } from '../../lib/merchant-categories.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './controls.module.css';
import { Forwarding } from './forwarding.tsx';

const ControlsModal = lazy(() => import('./controls-modal.tsx'));

/** The card's limits and merchant categories. */
export function Controls({ card }: { card: CardDetails }) {
  const mayChange = useMay('manager');
  const [changing, { open, close }] = useDisclosure(false);
  const { transactionLimit, dailyLimit, monthlyLimit, allTimeLimit, allowedMccs, blockedMccs } =
    card.spendControls;
  const limits = [
    ['Per-transaction limit', transactionLimit, 'Maximum for one purchase'],
    ['Daily limit', dailyLimit, 'Resets at midnight UTC'],
    ['Monthly limit', monthlyLimit, 'Resets on the 1st, UTC'],
    ['Lifetime limit', allTimeLimit, 'Never resets'],
  ] as const;
  return (
    <div className={classes.controls}>
      <div className={classes.header}>
        <p>Purchases outside these controls are declined.</p>
        {mayChange ? (
          <Button variant="default" size="xs" onClick={open}>
            Change controls
          </Button>
        ) : (
          <span className={classes.hint}>Only an administrator can change them.</span>
        )}
      </div>
      <dl className={classes.limits}>
        {limits.map(([label, limit, meaning]) => (
          <div key={label} className={classes.limit}>
            <dt>{label}</dt>
            <dd className={classes.value}>
              {limit === null ? (
                <span className={classes.none}>No limit</span>
              ) : (
                <Amount value={limit} currency={card.currency} />
              )}
            </dd>
            <dd className={classes.meaning}>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Categories
        title="Allowed merchant categories"
        mccs={allowedMccs}
        none="All, except those blocked below."
      />
      <Categories title="Blocked merchant categories" mccs={blockedMccs} none="None." />
      <Forwarding card={card} />
      {changing && (
        <Suspense>
          <ControlsModal card={card} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

function Categories({ title, mccs, none }: { title: string; mccs: string[]; none: string }) {
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      {mccs.length === 0 ? (
        <p className={classes.meaning}>{none}</p>
      ) : (
        <ul className={classes.tags}>
          {mccs.map((mcc) => (
            <li key={mcc}>{describeCategory(mcc)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

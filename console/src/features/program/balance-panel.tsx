import type { Account } from '@emboss/sdk';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { FactsOutline } from '../../components/panel-outline.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import classes from './program-page.module.css';
import { accountQuery } from './queries.ts';

const AlertModal = lazy(() => import('./alert-modal.tsx'));

/** The master account and its low-balance alert. */
export function BalancePanel() {
  const { id } = useProgram();
  const mayChange = useMay('admin');
  const query = useQuery(accountQuery(id));
  const [changing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title="Master account"
      actions={
        mayChange && (
          <Button size="xs" variant="default" onClick={open} disabled={!query.data}>
            Change alert
          </Button>
        )
      }
    >
      <Loaded query={query} outline={<FactsOutline count={4} />}>
        {(account) => (
          <>
            <Figures account={account} />
            {changing && (
              <Suspense>
                <AlertModal account={account} onClose={close} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Figures({ account: { currency, balance, held, available, alertBelow } }: { account: Account }) {
  const figures = [
    ['Balance', balance, 'All of the program’s money'],
    ['On hold', held, 'Approved but not yet cleared'],
    ['Available', available, 'Covers new authorizations'],
  ] as const;
  return (
    <dl className={classes.figures}>
      {figures.map(([label, amount, meaning]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={`${classes.figure} num`}>{formatMoney(amount, currency)}</dd>
          <dd className={classes.meaning}>{meaning}</dd>
        </div>
      ))}
      <div>
        <dt>Alert</dt>
        <dd className={`${classes.figure} num`}>
          {alertBelow === null ? 'None' : `Below ${formatMoney(alertBelow, currency)}`}
        </dd>
        <dd className={classes.meaning}>
          {alertBelow !== null && available < alertBelow ? (
            <ToneBadge tone="bad">Below the threshold</ToneBadge>
          ) : (
            'Sends the webhook event account.low_balance'
          )}
        </dd>
      </div>
    </dl>
  );
}

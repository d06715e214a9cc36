import type { Account } from '@emboss/sdk';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
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
const MoneyModal = lazy(() => import('./money-modal.tsx'));

type Dialog = 'deposit' | 'withdrawal' | 'alert';

/** The master account and its low-balance alert. */
export function BalancePanel() {
  const { id } = useProgram();
  const mayChange = useMay('admin');
  const query = useQuery(accountQuery(id));
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const opener = (label: string, opens: Dialog) => (
    <Button size="xs" variant="default" onClick={() => setDialog(opens)} disabled={!query.data}>
      {label}
    </Button>
  );
  return (
    <Panel
      title="Master account"
      actions={
        mayChange && (
          <Group gap="xs">
            {opener('Deposit', 'deposit')}
            {opener('Withdraw', 'withdrawal')}
            {opener('Change alert', 'alert')}
          </Group>
        )
      }
    >
      <Loaded query={query} outline={<FactsOutline count={4} />}>
        {(account) => (
          <>
            <Figures account={account} />
            <Suspense>
              {dialog === 'alert' && <AlertModal account={account} onClose={close} />}
              {(dialog === 'deposit' || dialog === 'withdrawal') && (
                <MoneyModal kind={dialog} account={account} onClose={close} />
              )}
            </Suspense>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Figures({ account: { currency, balance, held, available, alertBelow } }: { account: Account }) {
  const figures = [
    ['Balance', balance, 'Held and available together'],
    ['Held', held, 'Approved but not yet cleared'],
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

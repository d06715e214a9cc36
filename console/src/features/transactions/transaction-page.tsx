import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowsUpDown, IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { FactsOutline, PanelOutline } from '../../components/panel-outline.tsx';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ApiError } from '../../lib/api.ts';
import { placeOf } from '../../lib/countries.ts';
import { describeCategory } from '../../lib/merchant-categories.ts';
import { useProgram } from '../../lib/program.ts';
import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';
import { useMaySimulate } from '../../lib/use-may-simulate.ts';
import { MODES } from '../decisions/words.ts';
import { MetadataPanel } from '../metadata/metadata-panel.tsx';
import { MatchedRules, rulesIn } from '../rules/matched-rules.tsx';
import { authenticationWords } from './authentication-words.ts';
import { DecisionNote } from './decision-note.tsx';
import { decidingEvent } from './decision-words.ts';
import { DeclineExplanation } from './decline-explanation.tsx';
import { CHANNEL_WORDS } from './filters.ts';
import { FlagNotes } from './flags.tsx';
import { LifeTimeline } from './life-timeline.tsx';
import { networkWords } from './network-words.ts';
import { lifeQuery } from './queries.ts';
import { Relatives } from './relatives.tsx';
import classes from './transaction-page.module.css';
import { isStruck, releasedPart, voidWords } from './void-words.ts';

const route = getRouteApi('/programs/$programId/transactions/$transactionId');

export function TransactionPage() {
  const { id: programId } = useProgram();
  const maySimulate = useMaySimulate();
  const { transactionId } = route.useParams();
  const query = useQuery(lifeQuery(programId, transactionId));
  if (!query.data && query.error instanceof ApiError && query.error.status === 404)
    return <NoSuchTransaction programId={programId} />;
  const name = query.data ? titleOf(query.data.transaction) : 'Transaction';
  return (
    <Page
      title={name}
      back={<BackToList programId={programId} />}
      actions={maySimulate && query.data && <ToSimulator life={query.data} />}
    >
      <Loaded query={query} outline={<Outline />}>
        {(life) => <Life life={life} />}
      </Loaded>
    </Page>
  );
}

const Outline = () => (
  <>
    <PanelOutline>
      <FactsOutline count={8} />
    </PanelOutline>
    <PanelOutline flush>
      <ItemsOutline sign rows={3} />
    </PanelOutline>
  </>
);

const titleOf = ({ kind, status, merchant }: TransactionDetail): string => {
  const name = merchant?.name ?? 'unknown merchant';
  if (kind === 'refund' && status === 'PENDING') return `Refund announced by ${name}`;
  return kind === 'refund' ? `Refund from ${name}` : `Purchase at ${name}`;
};

function NoSuchTransaction({ programId }: { programId: string }) {
  return (
    <Page title="Transaction not found" back={<BackToList programId={programId} />}>
      <Panel>
        <EmptyState icon={IconArrowsUpDown} title="No transaction with this id in this program">
          The link may be incomplete, or the transaction may belong to another program: select that program in
          the menu at the top left. Press
          <kbd> / </kbd> to find its card instead.
        </EmptyState>
      </Panel>
    </Page>
  );
}

function BackToList({ programId }: { programId: string }) {
  return (
    <Link to="/programs/$programId/transactions" params={{ programId }}>
      <IconArrowLeft size={15} />
      Transactions
    </Link>
  );
}

/** In a sandbox the operator can act as the merchant: clear, reverse, refund. */
function ToSimulator({ life: { transaction, card } }: { life: TransactionLife }) {
  const { id: programId } = useProgram();
  return (
    <Button
      variant="default"
      leftSection={<IconFlask size={16} />}
      renderRoot={(props) => (
        <Link
          to="/programs/$programId/simulator"
          params={{ programId }}
          search={{ card: card.id, transaction: transaction.id }}
          {...props}
        />
      )}
    >
      Open in the simulator
    </Button>
  );
}

function Life({ life }: { life: TransactionLife }) {
  const { parent, refunds, transaction, metadata } = life;
  const rules = rulesIn(life);
  return (
    <>
      <Summary life={life} />
      <DeclineExplanation life={life} />
      {rules.length > 0 && (
        <Panel title="Rules that matched">
          <MatchedRules rules={rules} />
        </Panel>
      )}
      <Relatives parent={parent} refunds={refunds} />
      <MetadataPanel
        owner={{
          name: transaction.kind === 'refund' ? 'this refund' : 'this purchase',
          metadata,
          save: (api, changes) =>
            api.put(`merchant/transactions/${encodeURIComponent(transaction.id)}/metadata/`, {
              metadata: changes,
            }),
          query: 'transaction',
        }}
      />
      <Panel title="Timeline">
        <LifeTimeline life={life} />
      </Panel>
    </>
  );
}

function Summary({ life }: { life: TransactionLife }) {
  const { transaction, card } = life;
  const part = releasedPart(life);
  const decided = decidingEvent(life);
  const { id: programId } = useProgram();
  const { merchant, channel, fees, billCurrency, currency } = transaction;
  // What the amount above consists of, if fees are a part of it.
  const fee = (
    [
      ['FX fee', fees.fx],
      ['ATM fee', fees.atm],
    ] as const
  ).filter(([, value]) => Number(value) > 0);
  const parts = fee.length > 0 ? ([['Without fees', transaction.billAmount], ...fee] as const) : [];
  return (
    <Panel>
      <div className={classes.head}>
        <span className={classes.amount} data-struck={isStruck(transaction) || undefined}>
          <SpentAmount value={transaction.total} currency={billCurrency} />
        </span>
        <StatusBadge status={transaction.status} />
        {transaction.status === 'VOID' && <span className={classes.original}>{voidWords(transaction)}</span>}
        {part && (
          <span className={classes.original}>
            <Amount value={part.authorized} currency={billCurrency} /> authorized, of which{' '}
            <Amount value={part.released} currency={billCurrency} /> was released
          </span>
        )}
        {currency !== billCurrency && (
          <span className={classes.original}>
            <SpentAmount value={transaction.amount} currency={currency} /> in the merchant's currency
          </span>
        )}
      </div>
      <FlagNotes flags={transaction.flags} />
      <Facts
        rows={[
          [
            'Card',
            <Link
              key="card"
              to="/programs/$programId/cards/$cardId"
              params={{ programId, cardId: card.id }}
              className={classes.link}
            >
              <span className="num">••••&nbsp;{transaction.lastFour}</span> {transaction.cardholderName}
            </Link>,
          ],
          ['Date', <Timestamp key="when" value={transaction.created} absolute />],
          ...(merchant
            ? ([
                [
                  'Channel and location',
                  [channel && CHANNEL_WORDS[channel], placeOf(merchant)].filter(Boolean).join(', '),
                ],
                ['Merchant category', describeCategory(merchant.mcc)],
                ['Merchant id', merchant.id],
              ] as Array<[string, string]>)
            : []),
          ...parts.map(
            ([label, value]) =>
              [label, <Amount key={label} value={value} currency={billCurrency} />] as const,
          ),
          ...(life.authorizationMode === 'STANDARD'
            ? []
            : ([['Authorization mode', MODES[life.authorizationMode].label]] as const)),
          ...(decided?.authentication
            ? ([['Authentication', authenticationWords(decided.authentication)]] as const)
            : []),
          ...(transaction.approvalCode ? ([['Approval code', transaction.approvalCode]] as const) : []),
          ...networkWords(transaction.network),
        ].map(([label, value]) => [label as string, value])}
      />
      {decided && (
        <div className={classes.decision}>
          <DecisionNote event={decided} />
        </div>
      )}
      <dl className={classes.ids}>
        <Id label="Transaction id" value={transaction.id} />
        <Id label="Network transaction id" value={transaction.externalTransactionId} />
        {transaction.network?.arn && (
          <Id label="Acquirer's reference (ARN)" value={transaction.network.arn} />
        )}
      </dl>
    </Panel>
  );
}

function Id({ label, value }: { label: string; value: string }) {
  return (
    <div className={classes.id}>
      <dt>{label}</dt>
      <dd>
        <span className="mono">{value}</span>
        <CopyButton value={value} label={`Copy ${label.charAt(0).toLowerCase()}${label.slice(1)}`} />
      </dd>
    </div>
  );
}

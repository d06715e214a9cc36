import { IconFileText, IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { FactsOutline, FormOutline } from '../../components/panel-outline.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { cardQuery } from '../cards/queries.ts';
import { lifeQuery } from '../transactions/queries.ts';
import { CardPicker } from './card-picker.tsx';
import { ChosenCard } from './chosen-card.tsx';
import { ClockPanel, ClockReading } from './clock-panel.tsx';
import { Receipt } from './receipt.tsx';
import classes from './simulator-page.module.css';
import { SwipeForm } from './swipe-form.tsx';

const route = getRouteApi('/programs/$programId/simulator');

export function SimulatorPage() {
  const { mode } = useProgram();
  const maySwipe = useMay('manager');
  const { card, transaction } = route.useSearch();
  return (
    <Page
      title="Simulator"
      intro="Simulate purchases, 3-D Secure, clearings, reversals and refunds, and move the sandbox clock. No real money is involved."
    >
      {mode !== 'sandbox' ? (
        <Panel>
          <EmptyState icon={IconFlask} title="Available in sandbox programs only">
            This program is live: its purchases come from the card network and its clock shows real time.
            Select a sandbox program in the menu.
          </EmptyState>
        </Panel>
      ) : !maySwipe ? (
        <>
          <RoleNote needed="manager" todo="Simulating purchases and moving the clock" />
          <Panel title="Sandbox clock">
            <ClockReading />
          </Panel>
        </>
      ) : (
        <div className={classes.columns}>
          <div className={classes.column}>
            <Panel title="Simulate a purchase">
              <Swipe cardId={card} />
            </Panel>
          </div>
          <div className={classes.column}>
            <Panel title="Receipt">
              {transaction ? <Printed transactionId={transaction} /> : <NoReceipt />}
            </Panel>
            <ClockPanel />
          </div>
        </div>
      )}
    </Page>
  );
}

function Swipe({ cardId }: { cardId: string | undefined }) {
  const navigate = route.useNavigate();
  if (cardId === undefined)
    return <CardPicker onPick={(picked) => void navigate({ search: { card: picked } })} />;
  return <SwipeChosen cardId={cardId} />;
}

function SwipeChosen({ cardId }: { cardId: string }) {
  const { id: programId } = useProgram();
  const navigate = route.useNavigate();
  const query = useQuery(cardQuery(programId, cardId));
  return (
    <Loaded query={query} outline={<FormOutline count={6} />}>
      {(card) => (
        <>
          <ChosenCard programId={programId} card={card} onChange={() => void navigate({ search: {} })} />
          <SwipeForm
            key={card.id}
            card={card}
            onSwiped={(transaction) => void navigate({ search: { card: card.id, transaction } })}
          />
        </>
      )}
    </Loaded>
  );
}

function Printed({ transactionId }: { transactionId: string }) {
  const { id: programId } = useProgram();
  const query = useQuery(lifeQuery(programId, transactionId));
  return (
    <Loaded query={query} outline={<FactsOutline count={8} />}>
      {(life) => <Receipt life={life} />}
    </Loaded>
  );
}

function NoReceipt() {
  return (
    <EmptyState icon={IconFileText} title="No purchase yet">
      The result appears here. You can then clear, reverse or refund the purchase. A decline shows its reason
      and what to do.
    </EmptyState>
  );
}

import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { FactsOutline, PanelOutline } from '../../components/panel-outline.tsx';
import { statusText } from '../../components/status-badge.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { ApiError } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import type { Customer } from '../../lib/types.ts';
import { CreateCardButton } from '../cards/create-card-button.tsx';
import { Contact } from './contact.tsx';
import { CustomerCards } from './customer-cards.tsx';
import classes from './customer-page.module.css';
import { Notes } from './notes.tsx';
import { customerQuery } from './queries.ts';

const route = getRouteApi('/programs/$programId/customers/$customerId');

export function CustomerPage() {
  const { customerId } = route.useParams();
  const { id: programId } = useProgram();
  const query = useQuery(customerQuery(programId, customerId));
  if (!query.data && query.error instanceof ApiError && query.error.status === 404) return <NoSuchCustomer />;
  return (
    <Loaded query={query} outline={<Outline />}>
      {(customer) => <CustomerView customer={customer} />}
    </Loaded>
  );
}

function CustomerView({ customer }: { customer: Customer }) {
  return (
    <Page
      title={customer.name}
      tabTitle={`${customer.name}: customer`}
      intro={
        <span className={classes.intro}>
          <span>Customer {customer.id}</span>
          <CopyButton value={customer.id} label="Copy customer id" />
        </span>
      }
      actions={<CreateCardButton customer={customer} />}
    >
      <Totals customer={customer} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <CustomerCards customer={customer} />
        </div>
        <div className={classes.side}>
          <Contact customer={customer} />
          <Notes customer={customer} />
        </div>
      </div>
    </Page>
  );
}

function Totals({ customer: { totals, currency, more, cards } }: { customer: Customer }) {
  const counts = Object.entries(totals.cards)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${statusText(status).toLowerCase()}`);
  const money = (value: number) => <Amount value={value} currency={currency} />;
  return (
    <Panel title={more ? `Totals of the newest ${cards.length} cards` : 'Totals'}>
      <Facts
        rows={[
          ['Available credit', money(totals.availableCredit)],
          ['Spent this month', money(totals.spentThisMonth)],
          ['Spent in total', money(totals.spent)],
          ['Cards', counts.join(', ')],
        ]}
      />
    </Panel>
  );
}

function NoSuchCustomer() {
  return (
    <Page title="Customer not found">
      <Panel>
        <EmptyState icon={IconUser} title="No card with this customer id in this program">
          A customer is shown as soon as there is a card with its id (<code>meta.id</code>). Upper and lower
          case matter. Press <kbd>/</kbd> to search by name, phone number or e-mail.
        </EmptyState>
      </Panel>
    </Page>
  );
}

function Outline() {
  return (
    <Page title="Customer">
      <PanelOutline>
        <FactsOutline count={4} />
      </PanelOutline>
      <div className={classes.columns}>
        <PanelOutline flush>
          <ItemsOutline rows={3} />
        </PanelOutline>
        <PanelOutline>
          <FactsOutline count={4} />
        </PanelOutline>
      </div>
    </Page>
  );
}

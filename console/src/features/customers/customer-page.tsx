import { Tabs } from '@mantine/core';
import { IconArrowLeft, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
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
import { CustomerTimeline } from './customer-timeline.tsx';
import { FreezeButtons } from './freeze-buttons.tsx';
import { Identity } from './identity.tsx';
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
  const { tab = 'timeline' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={customer.name}
      back={<BackLink />}
      tabTitle={`${customer.name}: customer`}
      intro={
        <span className={classes.intro}>
          <span>Customer {customer.id}</span>
          <CopyButton value={customer.id} label="Copy customer id" />
        </span>
      }
      actions={
        <>
          <FreezeButtons customer={customer} />
          <CreateCardButton customer={customer} />
        </>
      }
    >
      <Totals customer={customer} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <CustomerCards customer={customer} />
          <Panel flush>
            <Tabs
              value={tab}
              onChange={(value) =>
                void navigate({ search: value === 'transactions' ? { tab: value } : {}, replace: true })
              }
              keepMounted={false}
            >
              <Tabs.List className={classes.tabs}>
                <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
                <Tabs.Tab value="transactions">Transactions</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="timeline">
                <CustomerTimeline customer={customer} />
              </Tabs.Panel>
              <Tabs.Panel value="transactions">
                <CustomerTimeline customer={customer} part="transactions" />
              </Tabs.Panel>
            </Tabs>
          </Panel>
        </div>
        <div className={classes.side}>
          <Contact customer={customer} />
          <Identity key={customer.id} customer={customer} />
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

function BackLink() {
  const { id: programId } = useProgram();
  return (
    <Link to="/programs/$programId/customers" params={{ programId }}>
      <IconArrowLeft size={15} />
      Customers
    </Link>
  );
}

function NoSuchCustomer() {
  return (
    <Page title="Customer not found" back={<BackLink />}>
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
    <Page title="Customer" back={<BackLink />}>
      <PanelOutline>
        <FactsOutline count={4} />
      </PanelOutline>
      <div className={classes.columns}>
        <PanelOutline flush>
          <ItemsOutline rows={8} />
        </PanelOutline>
        <PanelOutline>
          <FactsOutline count={4} />
        </PanelOutline>
      </div>
    </Page>
  );
}

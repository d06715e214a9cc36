import { Tabs } from '@mantine/core';
import { IconArrowLeft, IconCreditCard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bar } from '../../components/bar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { FactsOutline, PanelOutline } from '../../components/panel-outline.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ItemsOutline } from '../../components/table-outline.tsx';
import { ApiError } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import type { CardDetails } from '../../lib/types.ts';
import { MetadataPanel } from '../metadata/metadata-panel.tsx';
import { CardActions } from './card-actions.tsx';
import { CardArt } from './card-art.tsx';
import { CardFacts } from './card-facts.tsx';
import { CardMoney } from './card-money.tsx';
import classes from './card-page.module.css';
import { CardStanding } from './card-standing.tsx';
import { CARD_TABS, type CardTab } from './card-tabs.ts';
import { Controls } from './controls.tsx';
import { History } from './history.tsx';
import { cardQuery } from './queries.ts';
import { SwipeLink } from './swipe-link.tsx';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/programs/$programId/cards/$cardId');

const TAB_WORDS: Record<CardTab, string> = {
  transactions: 'Transactions',
  controls: 'Controls',
  history: 'History',
};

export function CardPage() {
  const { cardId } = route.useParams();
  const { id: programId } = useProgram();
  const query = useQuery(cardQuery(programId, cardId));
  if (!query.data && query.error instanceof ApiError && query.error.status === 404) return <NoSuchCard />;
  return (
    <Loaded query={query} outline={<Outline />}>
      {(card) => <CardView card={card} />}
    </Loaded>
  );
}

function CardView({ card }: { card: CardDetails }) {
  const { tab = 'transactions' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={card.cardholderName}
      tabTitle={`${card.cardholderName} ••••\u00a0${card.lastFour}`}
      back={<BackLink />}
      intro={
        <span className={classes.intro}>
          <StatusBadge status={card.status} />
          <span className="num nowrap">••••&nbsp;{card.lastFour}</span>
          <span>{card.cardType === 'virtual' ? 'Virtual' : 'Physical'} card</span>
        </span>
      }
      actions={
        <>
          <SwipeLink card={card} />
          <CardActions card={card} />
        </>
      }
    >
      <CardStanding card={card} />
      <div className={classes.columns}>
        <div className={classes.side}>
          <CardArt
            design={card.cardDesign}
            name={card.cardName}
            lastFour={card.lastFour}
            expiryDate={card.expiryDate}
            status={card.status}
            physical={card.cardType === 'physical'}
          />
          <CardMoney card={card} />
          <CardFacts card={card} />
          <CardMetadata card={card} />
        </div>
        <div className={classes.main}>
          <Panel flush>
            <Tabs
              value={tab}
              onChange={(value) =>
                void navigate({
                  search: value === 'transactions' ? {} : { tab: value as CardTab },
                  replace: true,
                })
              }
              keepMounted={false}
            >
              <Tabs.List className={classes.tabs}>
                {CARD_TABS.map((each) => (
                  <Tabs.Tab key={each} value={each}>
                    {TAB_WORDS[each]}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="transactions">
                <Timeline card={card} />
              </Tabs.Panel>
              <Tabs.Panel value="controls">
                <Controls card={card} />
              </Tabs.Panel>
              <Tabs.Panel value="history">
                <History card={card} />
              </Tabs.Panel>
            </Tabs>
          </Panel>
        </div>
      </div>
    </Page>
  );
}

const CardMetadata = ({ card: { id, metadata } }: { card: CardDetails }) => (
  <MetadataPanel
    owner={{
      name: 'this card',
      metadata,
      save: (api, changes) =>
        api.put(`merchant/cards/${encodeURIComponent(id)}/metadata/`, { metadata: changes }),
      query: 'cards',
    }}
  />
);

function BackLink() {
  const { id: programId } = useProgram();
  return (
    <Link to="/programs/$programId/cards" params={{ programId }}>
      <IconArrowLeft size={15} />
      Cards
    </Link>
  );
}

function NoSuchCard() {
  return (
    <Page title="Card not found" back={<BackLink />}>
      <Panel>
        <EmptyState icon={IconCreditCard} title="No card with this id in this program">
          The link may be incomplete, or the card may belong to another program: select that program in the
          menu at the top left. Press
          <kbd> / </kbd> to find the card by name or last four digits.
        </EmptyState>
      </Panel>
    </Page>
  );
}

function Outline() {
  return (
    <Page title="Card">
      <div className={classes.columns}>
        <div className={classes.side}>
          <Bar width="100%" height={202} />
          <PanelOutline>
            <FactsOutline count={2} />
          </PanelOutline>
          <PanelOutline>
            <FactsOutline count={8} />
          </PanelOutline>
        </div>
        <PanelOutline flush>
          <ItemsOutline sign rows={8} />
        </PanelOutline>
      </div>
    </Page>
  );
}

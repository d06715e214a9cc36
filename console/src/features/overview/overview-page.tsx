import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ChartOutline, PanelOutline, RankingOutline } from '../../components/panel-outline.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { Overview, OverviewWindow } from '../../lib/types.ts';
import { ActivityChart } from './activity-chart.tsx';
import { DeclineReasons } from './decline-reasons.tsx';
import { Figures, FiguresOutline } from './figures.tsx';
import { LiveFeed } from './live-feed.tsx';
import { MoneyFacts } from './money-facts.tsx';
import classes from './overview-page.module.css';
import { overviewQuery } from './queries.ts';
import { TopMerchants } from './top-merchants.tsx';

const route = getRouteApi('/programs/$programId/');

const WINDOW_WORDS: Array<{ value: OverviewWindow; label: string }> = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

const DEFAULT_WINDOW: OverviewWindow = '7d';

export function OverviewPage() {
  const { id: programId } = useProgram();
  const { window } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(overviewQuery(programId, window));
  return (
    <Page
      title="Overview"
      actions={
        <SegmentedControl
          aria-label="Period"
          size="sm"
          data={WINDOW_WORDS}
          value={window ?? query.data?.window ?? DEFAULT_WINDOW}
          onChange={(value) => void navigate({ search: { window: value as OverviewWindow }, replace: true })}
        />
      }
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <Loaded query={query} outline={<Outline />}>
            {(overview) => <Content overview={overview} />}
          </Loaded>
        </div>
        <aside className={classes.side}>
          <LiveFeed />
        </aside>
      </div>
    </Page>
  );
}

function Content({ overview }: { overview: Overview }) {
  return (
    <>
      <Until overview={overview} />
      <Figures overview={overview} />
      <Panel title="Approvals and declines">
        <ActivityChart overview={overview} />
      </Panel>
      <div className={classes.pair}>
        <Panel title="Decline reasons">
          <DeclineReasons overview={overview} />
        </Panel>
        <Panel title="Top merchants by spend">
          <TopMerchants overview={overview} />
        </Panel>
      </div>
      <MoneyFacts overview={overview} />
      {!overview.complete && (
        <p className={classes.note}>
          Older transactions are still being counted, so these figures are incomplete.
        </p>
      )}
    </>
  );
}

/** The default period ends with the last purchase, if it is long ago. */
function Until({ overview: { now, until } }: { overview: Overview }) {
  if (now === until) return null;
  return (
    <p className={classes.note}>
      No purchases in the last 7 days. These are the 7 days up to the last one, <Timestamp value={until} />.
    </p>
  );
}

function Outline() {
  return (
    <>
      <FiguresOutline />
      <PanelOutline>
        <ChartOutline height={315} />
      </PanelOutline>
      <div className={classes.pair}>
        <PanelOutline>
          <RankingOutline count={5} />
        </PanelOutline>
        <PanelOutline>
          <RankingOutline count={5} />
        </PanelOutline>
      </div>
    </>
  );
}

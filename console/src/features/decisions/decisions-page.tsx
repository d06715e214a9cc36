import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { times } from '../../components/bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ChartOutline, FactsOutline, PanelOutline } from '../../components/panel-outline.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { EndpointPanel } from './endpoint-panel.tsx';
import { ModePanel } from './mode-panel.tsx';
import { type Kind, settingsQuery, timesQuery } from './queries.ts';
import { KINDS } from './words.ts';

const TimesChart = lazy(() => import('./times-chart.tsx'));

export function DecisionsPage() {
  const { id: programId } = useProgram();
  const mayManage = useMay('manager');
  const isAdmin = useMay('admin');
  const settings = useQuery(settingsQuery(programId));
  return (
    <Page
      title="Real-time decisions"
      intro="Your server can decide authorizations and authentications while they wait, and send one-time passwords its own way. Emboss applies all its other checks first."
    >
      {!mayManage && <RoleNote needed="manager" todo="Changing an endpoint" />}
      {mayManage && !isAdmin && (
        <RoleNote
          needed="admin"
          todo="Changing the mode, or the endpoint of authentications or one-time passwords,"
        />
      )}
      <Loaded query={settings} outline={<Outline />}>
        {(given) => (
          <>
            <ModePanel settings={given} mayManage={isAdmin} />
            {(Object.keys(KINDS) as Kind[]).map((kind) => (
              <EndpointPanel key={kind} kind={kind} settings={given} />
            ))}
            {given.endpoints.authorization && <Times />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Outline = () =>
  times(4, (index) => (
    <PanelOutline key={index}>
      <FactsOutline count={4} />
    </PanelOutline>
  ));

function Times() {
  const { id: programId } = useProgram();
  const query = useQuery(timesQuery(programId));
  return (
    <Panel title="Response times for authorizations in the last 24 hours">
      <Loaded query={query} outline={<ChartOutline height={320} />}>
        {(times) => (
          <Suspense fallback={<ChartOutline height={320} />}>
            <TimesChart times={times} />
          </Suspense>
        )}
      </Loaded>
    </Panel>
  );
}

import { EmptyState } from '../../components/empty-state.tsx';
import { Page, Panel } from '../../components/page.tsx';

export function SimulatorPage() {
  return (
    <Page title="Simulator">
      <Panel>
        <EmptyState icon="clock" title="Not built yet">
          This page is on its way.
        </EmptyState>
      </Panel>
    </Page>
  );
}

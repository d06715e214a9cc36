import { EmptyState } from '../../components/empty-state.tsx';
import { Page, Panel } from '../../components/page.tsx';

export function WebhooksPage() {
  return (
    <Page title="Webhooks">
      <Panel>
        <EmptyState icon="clock" title="Not built yet">
          This page is on its way.
        </EmptyState>
      </Panel>
    </Page>
  );
}

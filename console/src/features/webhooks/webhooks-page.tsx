import { Page } from '../../components/page.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { useMay } from '../../lib/session.ts';
import { Endpoints } from './endpoints.tsx';
import { Events } from './events.tsx';

export function WebhooksPage() {
  const mayManage = useMay('manager');
  const mayResend = useMay('support');
  return (
    <Page
      title="Webhooks"
      intro="Events are sent to your servers as they happen, at least once. Failed deliveries are retried for three days."
    >
      {!mayManage && <RoleNote needed="manager" todo="Managing endpoints" />}
      <Endpoints />
      <Events mayResend={mayResend} />
    </Page>
  );
}

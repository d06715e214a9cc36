import { SecretModal } from '../../components/secret-modal.tsx';
import { EndpointFormModal } from './endpoint-form-modal.tsx';
import { EnableModal, PauseModal, RemoveModal, RotateModal } from './endpoint-modals.tsx';
import type { EndpointAction } from './endpoint-row.tsx';
import type { Endpoint, NewEndpoint } from './queries.ts';
import { TestModal } from './test-modal.tsx';
import classes from './webhooks-page.module.css';

export interface OpenedDialog {
  action: EndpointAction;
  endpoint: Endpoint;
}

/** The dialogs of all endpoints; at most one is open. */
export default function EndpointDialogs({
  adding,
  opened,
  shown,
  onClose,
  onDone,
  onSecret,
}: {
  adding: boolean;
  opened: OpenedDialog | null;
  /** The endpoint whose secret is shown. */
  shown: NewEndpoint | null;
  onClose: () => void;
  onDone: () => void;
  onSecret: (endpoint: NewEndpoint) => void;
}) {
  const subject = (action: EndpointAction) => ({
    endpoint: opened?.action === action ? opened.endpoint : null,
    onClose,
  });
  const { endpoint: edited } = subject('edit');
  return (
    <>
      <EndpointFormModal
        key={edited?.id ?? String(adding)}
        opened={adding || edited !== null}
        endpoint={edited}
        onClose={onClose}
        onSaved={(endpoint) => ('secret' in endpoint ? onSecret(endpoint) : onDone())}
      />
      <PauseModal {...subject('pause')} onDone={onDone} />
      <TestModal {...subject('test')} />
      <EnableModal {...subject('enable')} onDone={onDone} />
      <RemoveModal {...subject('remove')} onDone={onDone} />
      <RotateModal {...subject('rotate')} onRotated={onSecret} />
      <SecretModal title="Endpoint secret" secret={shown?.secret ?? null} onClose={onClose}>
        <p>Your server uses this secret to verify that a delivery comes from Emboss and was not altered:</p>
        <p className={classes.url}>{shown?.url}</p>
      </SecretModal>
    </>
  );
}

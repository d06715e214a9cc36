import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { SecretModal } from '../../components/secret-modal.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { CreateKeyModal } from './create-key-modal.tsx';
import classes from './keys-page.module.css';
import { type ApiKey, KIND_WORDS, keysQuery, type NewApiKey, SCOPE_WORDS, stateOf } from './queries.ts';
import { RevokeKeyModal } from './revoke-key-modal.tsx';
import { RotateKeyModal } from './rotate-key-modal.tsx';

export function KeysPage() {
  const { id: programId } = useProgram();
  const mayManage = useMay('admin');
  const query = useQuery(keysQuery(programId));
  const queryClient = useQueryClient();
  const [creating, { open, close }] = useDisclosure(false);
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const [shown, setShown] = useState<NewApiKey | null>(null);
  const refresh = () => void queryClient.invalidateQueries(keysQuery(programId));
  const onCreated = (key: NewApiKey) => {
    close();
    setRotated(null);
    setShown(key);
    refresh();
  };
  const columns = mayManage
    ? [...COLUMNS, actionsColumn({ onRotate: setRotated, onRevoke: setRevoked })]
    : COLUMNS;
  return (
    <Page
      title="API keys"
      intro="Your systems and the card network authenticate with API keys. A key is shown only once, when it is created."
      actions={
        mayManage && (
          <Button onClick={open} leftSection={<IconPlus size={16} />}>
            Create key
          </Button>
        )
      }
    >
      {!mayManage && <RoleNote needed="admin" todo="Managing API keys" />}
      <Panel flush>
        <Loaded query={query} outline={<TableOutline rows={4} />}>
          {(keys) =>
            keys.length === 0 ? (
              <EmptyState icon={IconKey} title="No keys yet">
                Your server uses a merchant key to call the API. The card network uses a network key to send
                authorizations.
              </EmptyState>
            ) : (
              <Table label="API keys" columns={columns} rows={sorted(keys)} rowKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      <CreateKeyModal opened={creating} onClose={close} onCreated={onCreated} />
      <RotateKeyModal apiKey={rotated} onClose={() => setRotated(null)} onCreated={onCreated} />
      <RevokeKeyModal
        apiKey={revoked}
        onClose={() => setRevoked(null)}
        onRevoked={() => {
          setRevoked(null);
          refresh();
        }}
      />
      <SecretModal
        title={`API key “${shown?.name ?? ''}”`}
        secret={shown?.key ?? null}
        onClose={() => setShown(null)}
      >
        {shown?.kind === 'network'
          ? 'The card network sends this key in the x-network-key header of each message.'
          : 'Your server sends this key in the x-payments-api-key header of each request.'}
      </SecretModal>
    </Page>
  );
}

/** Valid keys before ended ones; within each group the newest first. */
const sorted = (keys: ApiKey[]): ApiKey[] => {
  const hasEnded = (key: ApiKey) => ['revoked', 'expired'].includes(stateOf(key));
  return [...keys].sort(
    (a, b) => Number(hasEnded(a)) - Number(hasEnded(b)) || b.created.localeCompare(a.created),
  );
};

const COLUMNS: Array<Column<ApiKey>> = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, hint, kind }) => (
      <span className={classes.lines}>
        <strong className={classes.name}>{name}</strong>
        <span className={classes.small}>
          {KIND_WORDS[kind]} · ends in <span className="mono nowrap">{hint}</span>
        </span>
      </span>
    ),
  },
  { key: 'state', header: 'Status', cell: (key) => <KeyState apiKey={key} /> },
  {
    key: 'scopes',
    header: 'Permissions',
    wraps: true,
    from: 'sm',
    cell: ({ scopes, kind }) => scopes.map((scope) => SCOPE_WORDS[kind][scope]?.label).join(', '),
  },
  {
    key: 'used',
    header: 'Last used',
    from: 'md',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <RealTime value={lastUsedAt} /> : 'Never'),
  },
  { key: 'created', header: 'Created', from: 'lg', cell: ({ created }) => <RealTime value={created} /> },
];

const actionsColumn = ({
  onRotate,
  onRevoke,
}: {
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}): Column<ApiKey> => ({
  key: 'actions',
  header: <VisuallyHidden>Actions</VisuallyHidden>,
  align: 'right',
  cell: (key) =>
    ['revoked', 'expired'].includes(stateOf(key)) ? null : (
      <span className={classes.actions}>
        <Button
          size="xs"
          variant="default"
          onClick={() => onRotate(key)}
          aria-label={`Rotate ${key.name} ${key.hint}`}
        >
          Rotate
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          onClick={() => onRevoke(key)}
          aria-label={`Revoke ${key.name} ${key.hint}`}
        >
          Revoke
        </Button>
      </span>
    ),
});

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  switch (stateOf(apiKey)) {
    case 'revoked':
      return <ToneBadge tone="bad">Revoked</ToneBadge>;
    case 'expired':
      return <ToneBadge tone="quiet">Expired</ToneBadge>;
    case 'ending':
      return (
        <span className={classes.lines}>
          <ToneBadge tone="warn">Expiring</ToneBadge>
          <span className={classes.small}>
            <RealTime value={apiKey.expiresAt ?? ''} />
          </span>
        </span>
      );
    case 'active':
      return <ToneBadge tone="good">Active</ToneBadge>;
  }
}

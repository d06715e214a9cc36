import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { Panel } from '../../components/page.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { ROLE_NAMES } from '../../lib/role-words.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Message } from '../../lib/types.ts';
import classes from './people-page.module.css';
import { type Invitation, invitationsQuery, useProgramName } from './queries.ts';

/** The invitations that can still be accepted; nothing if there are none. */
export function OpenInvitations() {
  const { data: invitations = [] } = useQuery(invitationsQuery(useProgram().id));
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const columns = useColumns(setRevoking);
  if (invitations.length === 0) return null;
  return (
    <Panel title="Open invitations" flush>
      <Table label="Open invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} />
      {revoking && <RevokeModal invitation={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}

function RevokeModal({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => api.delete<Message>(`invitations/${invitation.id}/`),
    onSuccess: () => {
      showToast(`The invitation of ${invitation.name} is revoked`);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries(invitationsQuery(programId)),
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Revoke the invitation of ${invitation.name}?`}
      consequences={['The link stops working immediately.', 'You can invite the person again.']}
      action="Revoke invitation"
      danger
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    />
  );
}

function useColumns(onRevoke: (invitation: Invitation) => void): Array<Column<Invitation>> {
  const programName = useProgramName();
  return [
    {
      key: 'name',
      header: 'Name',
      cell: ({ name, email }) => (
        <span className={classes.lines}>
          <strong className={classes.name}>{name}</strong>
          <span className={classes.small}>{email}</span>
        </span>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      from: 'sm',
      cell: ({ role, programId }) => (
        <span className={classes.lines}>
          {ROLE_NAMES[role]}
          <span className={classes.small}>{programName(programId)}</span>
        </span>
      ),
    },
    { key: 'expires', header: 'Expires', from: 'sm', cell: ({ expires }) => <RealTime value={expires} /> },
    {
      key: 'revoke',
      header: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: (invitation) => (
        <Button
          variant="default"
          size="xs"
          aria-label={`Revoke: ${invitation.name}`}
          onClick={() => onRevoke(invitation)}
        >
          Revoke
        </Button>
      ),
    },
  ];
}

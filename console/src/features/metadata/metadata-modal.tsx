import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { changesOf, type MetadataOwner, type Row, sortedPairs } from './metadata.ts';
import classes from './metadata-panel.module.css';

const MOST_PAIRS = 20;

export default function MetadataModal({ owner, onClose }: { owner: MetadataOwner; onClose: () => void }) {
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const [before] = useState(owner.metadata);
  const [rows, setRows] = useState<Row[]>(() => {
    const known = sortedPairs(before);
    const pairs = known.length > 0 ? known : [['', '']];
    return pairs.map(([key = '', value = ''], id) => ({ id, key, value }));
  });
  const set = (id: number, change: Partial<Row>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const given = rows.filter(({ key, value }) => key.trim() !== '' || value !== '');
  const isTwice = (row: Row) =>
    row.key.trim() !== '' && given.some(({ id, key }) => id < row.id && key.trim() === row.key.trim());
  const mutation = useMutation({
    mutationFn: () => owner.save(api, changesOf(before, given)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [programId, owner.query] });
      showToast('Metadata changed');
      onClose();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Metadata of ${owner.name}`}
      size="lg"
      action="Save metadata"
      disabled={given.some(isTwice)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={['It is sent with webhook events. Use ids, not names or other personal data.']}
    >
      {rows.map((row, index) => (
        <div key={row.id} className={classes.row}>
          <TextInput
            aria-label={`Key ${index + 1}`}
            placeholder="Key"
            maxLength={40}
            value={row.key}
            error={isTwice(row) && 'This key is above already'}
            onChange={(event) => set(row.id, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            maxLength={200}
            value={row.value}
            onChange={(event) => set(row.id, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove ${row.key || 'this pair'}`}
            onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={rows.length >= MOST_PAIRS}
          onClick={() => setRows([...rows, { id: (rows.at(-1)?.id ?? 0) + 1, key: '', value: '' }])}
        >
          Add a pair
        </Button>
      </div>
    </ConfirmModal>
  );
}

import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Panel } from '../../components/page.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { useMay, useSession } from '../../lib/session.ts';
import type { Customer } from '../../lib/types.ts';
import classes from './notes.module.css';
import { customerPath, refreshCustomers } from './queries.ts';

const LONGEST = 2_000;

/** What operators noted about the customer, newest first. */
export function Notes({ customer }: { customer: Customer }) {
  const mayAdd = useMay('support');
  const isAdmin = useMay('admin');
  const { operator } = useSession();
  const [text, setText] = useState('');
  // The API accepts no line breaks.
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const add = useNoteChange(customer, (api, path) => api.post(`${path}notes/`, { text: line }));
  const remove = useNoteChange(customer, (api, path, id: string) => api.delete(`${path}notes/${id}/`));
  const [removed, setRemoved] = useState<Customer['notes'][number] | null>(null);
  const isTooLong = line.length > LONGEST;
  return (
    <Panel title="Notes">
      {mayAdd && (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate('', { onSuccess: () => setText('') });
          }}
        >
          <Textarea
            aria-label="New note"
            placeholder="Add a note for your colleagues. No card numbers."
            autosize
            minRows={2}
            maxRows={10}
            value={text}
            error={isTooLong && `At most ${LONGEST.toLocaleString('en')} characters`}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            type="submit"
            size="xs"
            className={classes.add ?? ''}
            loading={add.isPending}
            disabled={line === '' || isTooLong}
          >
            Add note
          </Button>
        </form>
      )}
      {add.error && <ErrorPanel error={add.error} />}
      {customer.notes.length === 0 && <p className={classes.none}>No notes yet.</p>}
      <ul className={classes.list} aria-label="Notes">
        {customer.notes.map((note) => (
          <li key={note.id} className={classes.note}>
            <p className={classes.text}>{note.text}</p>
            <div className={classes.foot}>
              <span>
                {note.author} · <Timestamp value={note.created} />
              </span>
              {mayAdd && (isAdmin || note.authorId === operator.id) && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove the note of ${note.author}`}
                  onClick={() => setRemoved(note)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </div>
          </li>
        ))}
      </ul>
      {removed && (
        <ConfirmModal
          opened
          onClose={() => setRemoved(null)}
          title={`Remove the note of ${removed.author}?`}
          consequences={[
            `“${removed.text}”`,
            'The note is removed for all operators. It cannot be restored.',
          ]}
          action="Remove note"
          danger
          mutation={remove}
          onConfirm={() => remove.mutate(removed.id, { onSuccess: () => setRemoved(null) })}
        />
      )}
    </Panel>
  );
}

type Change = (api: ReturnType<typeof useProgramApi>, path: string, id: string) => Promise<unknown>;

function useNoteChange(customer: Customer, change: Change) {
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => change(api, customerPath(customer.id), id),
    onSuccess: () => refreshCustomers(queryClient, programId),
  });
}

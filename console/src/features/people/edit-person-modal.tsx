import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { useSession } from '../../lib/session.ts';
import { type Access, AccessFields } from './person-fields.tsx';
import type { Person } from './queries.ts';

export function EditPersonModal({
  person,
  onClose,
  onDone,
}: {
  person: Person;
  onClose: () => void;
  onDone: (words: string) => void;
}) {
  const api = useProgramApi();
  const isYou = useSession().operator.id === person.id;
  const [name, setName] = useState(person.name);
  const [access, setAccess] = useState<Access>({ role: person.role, programId: person.programId ?? '' });
  const confirmation = useConfirmation('Changing access needs your password.');
  const changesAccess = access.role !== person.role || access.programId !== (person.programId ?? '');
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.put<Person>(`people/${person.id}/`, {
        name: name.trim(),
        ...(changesAccess && {
          ...{ role: access.role, programId: access.programId || null },
          ...confirmation.body,
        }),
      }),
    onSuccess: () => onDone(`${name.trim()} changed`),
  });
  const isChanged = name.trim() !== person.name || changesAccess;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Edit ${person.name}`}
      action="Save"
      size="lg"
      disabled={!isChanged || name.trim() === '' || (changesAccess && !confirmation.isComplete)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        isYou
          ? 'Another administrator can change your role and programs.'
          : 'The change takes effect immediately, also in open sessions.',
      ]}
    >
      <TextInput
        label="Name"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <AccessFields access={access} onChange={setAccess} disabled={isYou} />
      {changesAccess && confirmation.fields}
    </ConfirmModal>
  );
}

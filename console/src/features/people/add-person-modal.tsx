import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import { AccessFields } from './person-fields.tsx';
import { type NewPerson, useProgramChoices } from './queries.ts';

export function AddPersonModal({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (person: NewPerson) => void;
}) {
  const api = useProgramApi();
  const [first] = useProgramChoices();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [access, setAccess] = useState({ role: 'support' as const, programId: first?.value ?? '' });
  const confirmation = useConfirmation('Giving access needs your password.');
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewPerson>('people/', {
        ...{ email: email.trim(), name: name.trim() },
        ...{ role: access.role, programId: access.programId || null },
        ...confirmation.body,
      }),
    onSuccess: onAdded,
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Add a person"
      action="Add person"
      size="lg"
      disabled={email.trim() === '' || name.trim() === '' || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="off"
        maxLength={254}
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        description="Shown in the history of cards and in the audit log."
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <AccessFields access={access} onChange={(given) => setAccess(given as typeof access)} />
      {confirmation.fields}
    </ConfirmModal>
  );
}

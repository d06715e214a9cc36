import { Radio, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { openIdQuery } from '../../lib/openid.ts';
import { useProgramApi } from '../../lib/program.ts';
import classes from './people-page.module.css';
import { AccessFields } from './person-fields.tsx';
import { type NewInvitation, type NewPerson, useProgramChoices } from './queries.ts';

export function AddPersonModal({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (person: NewPerson | NewInvitation) => void;
}) {
  const api = useProgramApi();
  const [first] = useProgramChoices();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [access, setAccess] = useState({ role: 'support' as const, programId: first?.value ?? '' });
  const [start, setStart] = useState('link');
  const { data: provider } = useQuery(openIdQuery);
  const confirmation = useConfirmation('Giving access needs your password.');
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewPerson | NewInvitation>(start === 'link' ? 'invitations/' : 'people/', {
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
      action={start === 'link' ? 'Create invitation' : 'Add person'}
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
      <Radio.Group label="First sign-in" value={start} onChange={setStart}>
        <div className={classes.choices}>
          <Radio
            value="link"
            label="Invitation link"
            description={`The person opens it and chooses a password${provider ? `, or signs in with ${provider}` : ''}. It works once, for three days.`}
          />
          <Radio
            value="password"
            label="Generated password"
            description="You give it to the person, who must change it at the first sign-in."
          />
        </div>
      </Radio.Group>
      {confirmation.fields}
    </ConfirmModal>
  );
}

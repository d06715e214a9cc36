import { useMutation } from '@tanstack/react-query';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import type { NewPerson, Person } from './queries.ts';

interface Action {
  title: (name: string) => string;
  consequences: string[];
  action: string;
  done: (name: string) => string;
  danger?: true;
  /** Gives access, so it needs the password. */
  confirmed?: true;
  send: [method: 'put' | 'post', path: string, body: object];
}

/** What an administrator does with a person in one step. */
export const ACTIONS = {
  disable: {
    title: (name) => `Disable ${name}?`,
    consequences: [
      'All sessions of this person end immediately.',
      'The person cannot sign in until enabled.',
    ],
    action: 'Disable',
    done: (name) => `${name} is disabled`,
    danger: true,
    send: ['put', '', { enabled: false }],
  },
  enable: {
    title: (name) => `Enable ${name}?`,
    consequences: ['The person can sign in again with the current password.'],
    action: 'Enable',
    done: (name) => `${name} is enabled`,
    confirmed: true,
    send: ['put', '', { enabled: true }],
  },
  resetPassword: {
    title: (name) => `Reset the password of ${name}?`,
    consequences: [
      'A new password is generated and shown to you once. The person must change it at the next sign-in.',
      'All sessions of this person end immediately, and a lock-out ends.',
    ],
    action: 'Reset password',
    done: (name) => `The password of ${name} is reset`,
    confirmed: true,
    send: ['post', 'reset-password/', {}],
  },
  removeSecondFactor: {
    title: (name) => `Remove the second factor of ${name}?`,
    consequences: [
      'Only if the person lost the device: verify their identity first.',
      'All sessions of this person end immediately. The next sign-in needs only the password.',
    ],
    action: 'Remove second factor',
    done: (name) => `The second factor of ${name} is removed`,
    danger: true,
    confirmed: true,
    send: ['post', 'remove-second-factor/', {}],
  },
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof ACTIONS;

export function PersonActionModal({
  person,
  name,
  onClose,
  onDone,
}: {
  person: Person;
  name: ActionName;
  onClose: () => void;
  onDone: (words: string, answer: Person | NewPerson) => void;
}) {
  const api = useProgramApi();
  const { title, consequences, action, done, danger, confirmed, send }: Action = ACTIONS[name];
  const [method, path, body] = send;
  const confirmation = useConfirmation('This gives access to the account, so it needs your password.');
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api[method]<Person | NewPerson>(`people/${person.id}/${path}`, {
        ...body,
        ...(confirmed && confirmation.body),
      }),
    onSuccess: (answer) => onDone(done(person.name), answer),
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title(person.name)}
      consequences={[...consequences]}
      action={action}
      danger={danger ?? false}
      disabled={confirmed === true && !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      {confirmed && confirmation.fields}
    </ConfirmModal>
  );
}

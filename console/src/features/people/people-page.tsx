import { Button, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Column } from '../../components/list/column.ts';
import { Table } from '../../components/list/table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RealTime } from '../../components/real-time.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { SecretModal } from '../../components/secret-modal.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { TableOutline } from '../../components/table-outline.tsx';
import { openIdQuery } from '../../lib/openid.ts';
import { useProgram } from '../../lib/program.ts';
import { ROLE_NAMES } from '../../lib/role-words.ts';
import { useMay, useSession } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import { AddPersonModal } from './add-person-modal.tsx';
import { EditPersonModal } from './edit-person-modal.tsx';
import { OpenInvitations } from './invitations.tsx';
import classes from './people-page.module.css';
import { PersonActionModal } from './person-actions.tsx';
import { type Doing, PersonMenu } from './person-menu.tsx';
import { type NewInvitation, type NewPerson, type Person, peopleQuery, useProgramName } from './queries.ts';
import { SessionsModal } from './sessions-modal.tsx';

export function PeoplePage() {
  return useMay('admin') ? (
    <People />
  ) : (
    <Page title="People">
      <RoleNote needed="admin" todo="Managing people" />
    </Page>
  );
}

function People() {
  const { id: programId } = useProgram();
  const query = useQuery(peopleQuery(programId));
  const queryClient = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<{ person: Person; doing: Doing } | null>(null);
  const [shown, setShown] = useState<NewPerson | NewInvitation | null>(null);
  const close = () => {
    setAdding(false);
    setChosen(null);
  };
  const done = (words: string, answer?: Person | NewPerson | NewInvitation) => {
    close();
    showToast(words);
    if (answer && ('generatedPassword' in answer || 'link' in answer)) setShown(answer);
    void queryClient.invalidateQueries(peopleQuery(programId));
  };
  const columns = useColumns((person, doing) => setChosen({ person, doing }));
  return (
    <Page
      title="People"
      intro="People who sign in to the console. Give each person an account of their own, with the lowest role that is enough."
      actions={
        <Button onClick={() => setAdding(true)} leftSection={<IconPlus size={16} />}>
          Add person
        </Button>
      }
    >
      <Panel flush>
        <Loaded query={query} outline={<TableOutline rows={4} />}>
          {(people) => <Table label="People" columns={columns} rows={people} rowKey={({ id }) => id} />}
        </Loaded>
      </Panel>
      <OpenInvitations />
      {adding && (
        <AddPersonModal
          onClose={close}
          onAdded={(person) => done(`${person.name} ${'link' in person ? 'invited' : 'added'}`, person)}
        />
      )}
      {chosen && <Chosen {...chosen} onClose={close} onDone={done} />}
      <SecretModal
        title={`${shown && 'link' in shown ? 'Invitation' : 'Password'} of ${shown?.name ?? ''}`}
        secret={shown && ('link' in shown ? shown.link : shown.generatedPassword)}
        onClose={() => setShown(null)}
      >
        {shown && 'link' in shown
          ? `Send this link to ${shown.email}. It works once, until it expires in three days.`
          : `Give this password to ${shown?.email}. It must be changed at the next sign-in.`}
      </SecretModal>
    </Page>
  );
}

function Chosen({
  person,
  doing,
  ...rest
}: {
  person: Person;
  doing: Doing;
  onClose: () => void;
  onDone: (words: string, answer?: Person | NewPerson) => void;
}) {
  if (doing === 'edit') return <EditPersonModal person={person} {...rest} />;
  if (doing === 'sessions') return <SessionsModal person={person} onClose={rest.onClose} />;
  return <PersonActionModal person={person} name={doing} {...rest} />;
}

/** How a person signs in. `provider`: its name, if there still is one. */
function waysOf({ hasPassword, hasSecondFactor, hasOpenId }: Person, provider = 'OpenID'): string {
  const ways = [
    ...(hasPassword ? [hasSecondFactor ? 'Password and code' : 'Password'] : []),
    ...(hasOpenId ? [provider] : []),
  ];
  return ways.join(', ');
}

function useColumns(onChoose: (person: Person, doing: Doing) => void): Array<Column<Person>> {
  const you = useSession().operator.id;
  const programName = useProgramName();
  const provider = useQuery(openIdQuery).data ?? undefined;
  return [
    {
      key: 'name',
      header: 'Name',
      cell: ({ id, name, email }) => (
        <span className={classes.lines}>
          <strong className={classes.name}>
            {name}
            {id === you && ' (you)'}
          </strong>
          <span className={classes.small}>{email}</span>
        </span>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      cell: ({ role, programId }) => (
        <span className={classes.lines}>
          {ROLE_NAMES[role]}
          <span className={classes.small}>{programName(programId)}</span>
        </span>
      ),
    },
    {
      key: 'state',
      header: 'Status',
      from: 'sm',
      cell: ({ state, mustChangePassword }) =>
        state === 'disabled' ? (
          <ToneBadge tone="bad">Disabled</ToneBadge>
        ) : mustChangePassword ? (
          <ToneBadge tone="warn">New password</ToneBadge>
        ) : (
          <ToneBadge tone="good">Active</ToneBadge>
        ),
    },
    {
      key: 'ways',
      header: 'Signs in with',
      from: 'md',
      cell: (person) => waysOf(person, provider),
    },
    {
      key: 'seen',
      header: 'Last sign-in',
      from: 'md',
      cell: ({ lastSignIn }) => (lastSignIn ? <RealTime value={lastSignIn} /> : 'Never'),
    },
    {
      key: 'actions',
      header: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: (person) => <PersonMenu person={person} onChoose={(doing) => onChoose(person, doing)} />,
    },
  ];
}

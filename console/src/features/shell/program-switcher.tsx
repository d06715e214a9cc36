import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useProgram } from '../../lib/program.ts';
import { useMay, useSession } from '../../lib/session.ts';
import classes from './program-switcher.module.css';

const NewProgramModal = lazy(() => import('./new-program-modal.tsx'));

/** Selects the program, or creates one. Another program opens with its overview, because the current page does not exist there. */
export function ProgramSwitcher() {
  const { programs, operator } = useSession();
  const mayCreate = useMay('admin') && operator.programId === null;
  const [isCreating, setIsCreating] = useState(false);
  const program = useProgram();
  const navigate = useNavigate();
  const face = (
    <>
      <img src="/console/favicon.svg" alt="" width={28} height={28} />
      <span className={classes.names}>
        <span className={`${classes.name} ellipsis`}>{program.name}</span>
        <span className={classes.mode}>
          {program.mode === 'sandbox' ? 'Sandbox' : 'Live'} · {program.currency}
        </span>
      </span>
    </>
  );
  if (programs.length < 2 && !mayCreate) return <div className={classes.button}>{face}</div>;
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <UnstyledButton className={classes.button} data-switch>
            {face}
            <VisuallyHidden>Switch program</VisuallyHidden>
            <IconChevronDown size={16} className={classes.chevron} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Programs</Menu.Label>
          {programs.map(({ id, name, mode, currency }) => (
            <Menu.Item
              key={id}
              onClick={() => void navigate({ to: '/programs/$programId', params: { programId: id } })}
              rightSection={id === program.id ? <IconCheck size={16} /> : null}
            >
              {name}
              <span className={classes.mode}>
                {' '}
                {mode === 'sandbox' ? 'sandbox' : 'live'} · {currency}
              </span>
            </Menu.Item>
          ))}
          {mayCreate && <Menu.Item onClick={() => setIsCreating(true)}>New program</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {isCreating && (
        <Suspense>
          <NewProgramModal onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

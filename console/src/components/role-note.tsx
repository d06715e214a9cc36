import { IconLock } from '@tabler/icons-react';
import { ROLE_WORDS } from '../lib/role-words.ts';
import { useSession } from '../lib/session.ts';
import type { Role } from '../lib/types.ts';
import classes from './role-note.module.css';

/** Shown instead of buttons that the operator's role does not allow: the action and the role it needs. */
export function RoleNote({ needed, todo }: { needed: Role; todo: string }) {
  const { role } = useSession().operator;
  return (
    <p className={classes.note}>
      <IconLock size={16} className={classes.icon} />
      <span>
        {todo} requires the role {ROLE_WORDS[needed]}. Your role is {ROLE_WORDS[role]}.
      </span>
    </p>
  );
}

import { useSession } from '../lib/session.ts';
import type { Role } from '../lib/types.ts';
import { Icon } from './icon.tsx';
import classes from './role-note.module.css';

const ROLE_WORDS: Record<Role, string> = { viewer: 'viewer', support: 'support', admin: 'administrator' };

/** In place of buttons that the reader's role has no use for: what is missing, and who has it. */
export function RoleNote({ needed, todo }: { needed: Role; todo: string }) {
  const { role } = useSession().operator;
  return (
    <p className={classes.note}>
      <Icon name="lock" size={16} className={classes.icon} />
      <span>
        {todo} requires the role {ROLE_WORDS[needed]}. Your role is {ROLE_WORDS[role]}.
      </span>
    </p>
  );
}

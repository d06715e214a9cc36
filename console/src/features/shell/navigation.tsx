import {
  type Icon,
  IconArrowsUpDown,
  IconBolt,
  IconBook,
  IconBuildingBank,
  IconChartBar,
  IconCreditCard,
  IconFileText,
  IconFlask,
  IconKey,
  IconListCheck,
  IconPalette,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import classes from './navigation.module.css';

const WATCH = [
  { to: '/programs/$programId', label: 'Overview', icon: IconChartBar },
  { to: '/programs/$programId/cards', label: 'Cards', icon: IconCreditCard },
  { to: '/programs/$programId/transactions', label: 'Transactions', icon: IconArrowsUpDown },
] as const satisfies Place[];

const MANAGE = [
  { to: '/programs/$programId/program', label: 'Program', icon: IconBuildingBank },
  { to: '/programs/$programId/designs', label: 'Designs', icon: IconPalette },
  { to: '/programs/$programId/reports', label: 'Reports', icon: IconFileText },
  { to: '/programs/$programId/webhooks', label: 'Webhooks', icon: IconWebhook },
  { to: '/programs/$programId/decisions', label: 'Real-time decisions', icon: IconBolt },
] as const satisfies Place[];

const KEYS = { to: '/programs/$programId/keys', label: 'API keys', icon: IconKey } as const satisfies Place;
const AUDIT = {
  to: '/programs/$programId/audit',
  label: 'Audit log',
  icon: IconListCheck,
} as const satisfies Place;
const PEOPLE = {
  to: '/programs/$programId/people',
  label: 'People',
  icon: IconUsers,
} as const satisfies Place;
const SIMULATOR = {
  to: '/programs/$programId/simulator',
  label: 'Simulator',
  icon: IconFlask,
} as const satisfies Place;

interface Place {
  to: string;
  label: string;
  icon: Icon;
}
type KnownPlace =
  | (typeof WATCH)[number]
  | (typeof MANAGE)[number]
  | typeof KEYS
  | typeof PEOPLE
  | typeof AUDIT
  | typeof SIMULATOR;

export function Navigation() {
  const { mode } = useProgram();
  const mayAudit = useMay('manager');
  const mayAdminister = useMay('admin');
  return (
    <nav aria-label="Main" className={classes.nav}>
      <Places places={WATCH} />
      <p className={classes.heading}>Manage</p>
      <Places places={[...MANAGE, ...(mayAdminister ? [KEYS, PEOPLE] : []), ...(mayAudit ? [AUDIT] : [])]} />
      {mode === 'sandbox' && (
        <>
          <p className={classes.heading}>Sandbox</p>
          <Places places={[SIMULATOR]} />
        </>
      )}
      <p className={classes.heading}>Help</p>
      <ul className={classes.list}>
        <li>
          <a href="/docs/guides" className={classes.link}>
            <IconBook size={18} />
            Docs
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Places({ places }: { places: readonly KnownPlace[] }) {
  const { id } = useProgram();
  return (
    <ul className={classes.list}>
      {places.map(({ to, label, icon: Shape }) => (
        <li key={to}>
          <Link
            to={to}
            params={{ programId: id }}
            className={classes.link}
            activeOptions={{ exact: to === '/programs/$programId', includeSearch: false }}
          >
            <Shape size={18} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

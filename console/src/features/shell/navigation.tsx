import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import classes from './navigation.module.css';

const WATCH = [
  { to: '/programs/$programId', label: 'Overview', icon: 'overview' },
  { to: '/programs/$programId/cards', label: 'Cards', icon: 'card' },
  { to: '/programs/$programId/transactions', label: 'Transactions', icon: 'transactions' },
] as const satisfies Place[];

const MANAGE = [
  { to: '/programs/$programId/designs', label: 'Designs', icon: 'design' },
  { to: '/programs/$programId/reports', label: 'Reports', icon: 'report' },
  { to: '/programs/$programId/webhooks', label: 'Webhooks', icon: 'webhook' },
  { to: '/programs/$programId/decisions', label: 'Real-time decisions', icon: 'decision' },
] as const satisfies Place[];

const KEYS = { to: '/programs/$programId/keys', label: 'API keys', icon: 'key' } as const satisfies Place;
const SIMULATOR = {
  to: '/programs/$programId/simulator',
  label: 'Simulator',
  icon: 'simulator',
} as const satisfies Place;

interface Place {
  to: string;
  label: string;
  icon: IconName;
}
type KnownPlace = (typeof WATCH)[number] | (typeof MANAGE)[number] | typeof KEYS | typeof SIMULATOR;

export function Navigation() {
  const { mode } = useProgram();
  const mayManageKeys = useMay('admin');
  return (
    <nav aria-label="Main" className={classes.nav}>
      <Places places={WATCH} />
      <p className={classes.heading}>Manage</p>
      <Places places={[...MANAGE, ...(mayManageKeys ? [KEYS] : [])]} />
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
            <Icon name="book" />
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
      {places.map(({ to, label, icon }) => (
        <li key={to}>
          <Link
            to={to}
            params={{ programId: id }}
            className={classes.link}
            activeOptions={{ exact: to === '/programs/$programId', includeSearch: false }}
          >
            <Icon name={icon} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

import { IconBook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import classes from './navigation.module.css';
import { type KnownPlace, usePlaces } from './places.ts';

export function Navigation() {
  const places = usePlaces();
  const of = (section: KnownPlace['section']) => places.filter((place) => place.section === section);
  return (
    <nav aria-label="Main" className={classes.nav}>
      <Places places={of('watch')} />
      <p className={classes.heading}>Manage</p>
      <Places places={of('manage')} />
      {of('sandbox').length > 0 && (
        <>
          <p className={classes.heading}>Sandbox</p>
          <Places places={of('sandbox')} />
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

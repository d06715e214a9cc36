import { IconBook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import { waitingQuery } from '../approvals/waiting.ts';
import classes from './navigation.module.css';
import { type ProgramPage, usePages } from './pages.ts';

export function Navigation() {
  const pages = usePages();
  const of = (section: ProgramPage['section']) => pages.filter((page) => page.section === section);
  return (
    <nav aria-label="Main" className={classes.nav}>
      <PageLinks pages={of('watch')} />
      <p className={classes.heading}>Manage</p>
      <PageLinks pages={of('manage')} />
      {of('sandbox').length > 0 && (
        <>
          <p className={classes.heading}>Sandbox</p>
          <PageLinks pages={of('sandbox')} />
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

function Waiting() {
  const { data = 0 } = useQuery(waitingQuery(useProgram().id));
  return data > 0 && <span className={classes.count}>{data}</span>;
}

function PageLinks({ pages }: { pages: readonly ProgramPage[] }) {
  const { id } = useProgram();
  return (
    <ul className={classes.list}>
      {pages.map(({ to, label, icon: Shape }) => (
        <li key={to}>
          <Link
            to={to}
            params={{ programId: id }}
            className={classes.link}
            activeOptions={{ exact: to === '/programs/$programId', includeSearch: false }}
          >
            <Shape size={18} />
            {label}
            {label === 'Approvals' && <Waiting />}
          </Link>
        </li>
      ))}
    </ul>
  );
}

import { Burger } from '@mantine/core';
import { useDisclosure, useFocusReturn, useWindowEvent } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { zoneWords } from '../../lib/time-zone.ts';
import { SearchBox } from '../search/search-box.tsx';
import { ClockBadge } from './clock-badge.tsx';
import { CommandPalette } from './command-palette.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Navigation } from './navigation.tsx';
import { OperatorMenu } from './operator-menu.tsx';
import { ProgramSwitcher } from './program-switcher.tsx';
import classes from './shell.module.css';

const Bell = lazy(async () => ({ default: (await import('../notifications/bell.tsx')).Bell }));

/** The frame of every page of a program. On a small screen the navigation is a drawer. */
export function Shell() {
  const [opened, { open, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const drawer = useRef<HTMLDivElement>(null);
  useFocusReturn({ opened });
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && close());
  // Moves the focus to the start of a new page, where a screen reader begins to read.
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    close();
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path, close]);
  useEffect(() => {
    if (opened) drawer.current?.querySelector('button')?.focus();
  }, [opened]);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <div ref={drawer} className={classes.navbar} data-opened={opened || undefined}>
        <div className={classes.navTop}>
          <ProgramSwitcher />
          <Burger
            opened
            onClick={close}
            size="sm"
            className={classes.small ?? ''}
            aria-label="Close navigation"
          />
        </div>
        <Navigation />
      </div>
      <header className={classes.header}>
        <Burger
          opened={false}
          onClick={open}
          size="sm"
          className={classes.small ?? ''}
          aria-label="Open navigation"
          aria-expanded={opened}
        />
        <SearchBox />
        <div className={classes.side}>
          <ClockBadge />
          <Suspense fallback={<span className={classes.bell} />}>
            <Bell />
          </Suspense>
          <OperatorMenu />
        </div>
      </header>
      <CommandPalette />
      <main id="main" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        <Outlet />
        <p className={classes.zone}>
          Times are in {zoneWords()}. <Link to="/account">Change</Link>
        </p>
      </main>
    </div>
  );
}

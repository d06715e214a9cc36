import { AppShell, Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SearchBox } from '../search/search-box.tsx';
import { ClockBadge } from './clock-badge.tsx';
import { Navigation } from './navigation.tsx';
import { OperatorMenu } from './operator-menu.tsx';
import { ProgramSwitcher } from './program-switcher.tsx';
import classes from './shell.module.css';

/** The frame around every page of a program. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a small screen the menu closes with every page turned.
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !opened } }}
      layout="alt"
      withBorder={false}
    >
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Burger
          opened={opened}
          onClick={toggle}
          hiddenFrom="md"
          size="sm"
          aria-label={opened ? 'Close navigation' : 'Open navigation'}
        />
        <SearchBox />
        <div className={classes.side}>
          <ClockBadge />
          <OperatorMenu />
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <div className={classes.navTop}>
          <ProgramSwitcher />
          <Burger opened onClick={close} hiddenFrom="md" size="sm" aria-label="Close navigation" />
        </div>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';
import classes from './page.module.css';

/** The frame of every page: one heading, what it is for, what can be done. */
export function Page({
  title,
  tabTitle = title,
  intro,
  actions,
  children,
}: {
  title: string;
  /** What the browser's tab says, where the heading alone would not tell. */
  tabTitle?: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useTitle(tabTitle);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.titles}>
          {/* Focus comes here when what had it is gone. */}
          <h1 className={classes.title} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page on a surface of its own, with a heading. `flush` lets a table reach the edges. */
export function Panel({
  title,
  actions,
  flush = false,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={classes.panel} aria-label={title}>
      {(title || actions) && (
        <div className={classes.panelHeader}>
          <h2 className={classes.panelTitle}>{title}</h2>
          {actions}
        </div>
      )}
      <div className={flush ? undefined : classes.panelBody}>{children}</div>
    </section>
  );
}

/** Label and value, one under the other. */
export function Facts({ rows }: { rows: Array<[label: string, value: ReactNode]> }) {
  return (
    <dl className={classes.facts}>
      {rows.map(([label, value]) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

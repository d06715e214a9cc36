import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';
import classes from './page.module.css';

/** The frame of every page: one heading, an introduction and actions. */
export function Page({
  title,
  tabTitle = title,
  back,
  intro,
  actions,
  children,
}: {
  title: string;
  /** The title of the browser's tab, if the heading alone is ambiguous. */
  tabTitle?: string;
  /** A link to the list that the page belongs to. */
  back?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useTitle(tabTitle);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.titles}>
          {back && <p className={classes.back}>{back}</p>}
          {/* Receives focus if the focused element was removed. */}
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

/** A section of a page on its own surface, with a heading. `flush` lets a table reach the edges. */
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

/** Pairs of label and value. */
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

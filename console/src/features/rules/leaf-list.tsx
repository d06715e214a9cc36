import { leafWords, nodeAt, shownValue } from './condition.ts';
import classes from './matched-rules.module.css';
import type { RuleLeaf } from './queries.ts';

/** What the leaves of a condition saw. Without the condition they are named by their paths. */
export const LeafList = ({ when, leaves }: { when: unknown; leaves: readonly RuleLeaf[] }) => (
  <ul className={classes.leaves}>
    {leaves.map(({ path, value, result }) => (
      <li key={path}>
        <span className={classes.leaf}>{leafWords(nodeAt(when, path)) ?? path}</span>
        <span>
          {shownValue(value)} ({result ? 'met' : 'not met'})
        </span>
      </li>
    ))}
  </ul>
);

import { ToneBadge } from '../../components/status-badge.tsx';
import type { TransactionDetail } from '../../lib/types.ts';
import { FLAGS } from './flag-words.ts';
import classes from './flags.module.css';

type Flags = TransactionDetail['flags'];

/** In lists: the explanation is on the page of the transaction. */
export function FlagBadges({ flags }: { flags: Flags }) {
  return flags.map((flag) => (
    <ToneBadge key={flag} tone="warn">
      {FLAGS[flag][0]}
    </ToneBadge>
  ));
}

/** With the explanation of each. */
export function FlagNotes({ flags }: { flags: Flags }) {
  if (flags.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label="Flags">
      {flags.map((flag) => (
        <li key={flag}>
          <ToneBadge tone="warn">{FLAGS[flag][0]}</ToneBadge> {FLAGS[flag][1]}
        </li>
      ))}
    </ul>
  );
}

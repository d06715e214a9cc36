import { IconBan } from '@tabler/icons-react';
import type { TransactionLife } from '../../lib/types.ts';
import { DeclineNumbers } from '../limits/decline-numbers.tsx';
import { DeclineRemedy } from '../limits/decline-remedy.tsx';
import classes from './decline-explanation.module.css';
import { declineWords } from './filters.ts';

/** Why a transaction was declined, with its numbers, and what to do about it. */
export function DeclineExplanation({ life: { transaction, card } }: { life: TransactionLife }) {
  const { decline, billAmount } = transaction;
  if (!decline) return null;
  return (
    <section className={classes.decline} aria-label="Decline reason">
      <IconBan size={22} className={classes.icon} />
      <div>
        <h2 className={classes.title}>{declineWords(decline.reason)}</h2>
        <p>{decline.meaning}</p>
        <DeclineNumbers decline={decline} purchase={transaction} />
        <p className={classes.remedy}>
          <strong>What to do:</strong> {decline.remedy}
        </p>
        <p className={classes.codes}>
          Code {decline.code} · network code {decline.networkCode}
        </p>
        <DeclineRemedy card={card} decline={decline} billAmount={billAmount} />
      </div>
    </section>
  );
}

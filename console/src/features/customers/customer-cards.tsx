import { Link } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { Panel } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { Customer } from '../../lib/types.ts';
import classes from './customer-cards.module.css';

/** All cards of the customer, newest first. Each links to its page. */
export function CustomerCards({ customer: { cards, more } }: { customer: Customer }) {
  const { id: programId } = useProgram();
  return (
    <Panel title="Cards" flush>
      <ul className={classes.list} aria-label="Cards of the customer">
        {cards.map((card) => (
          <li key={card.id}>
            <Link
              to="/programs/$programId/cards/$cardId"
              params={{ programId, cardId: card.id }}
              className={classes.card}
            >
              <span className={classes.name}>
                <span className={classes.number}>
                  <span className="num nowrap">••••&nbsp;{card.lastFour}</span>
                  <StatusBadge status={card.status} />
                </span>
                <span className={`${classes.detail} ellipsis`}>
                  {card.cardType === 'virtual' ? 'Virtual' : 'Physical'} · {card.cardName} ·{' '}
                  <Timestamp value={card.created} />
                </span>
              </span>
              <span className={classes.money}>
                <Amount value={card.availableCredit} currency={card.currency} />
                <span className={classes.detail}>
                  <Amount value={card.spentThisMonth} currency={card.currency} /> this month
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {more && (
        <p className={classes.more}>Older cards are not shown. Find them by their last four digits.</p>
      )}
    </Panel>
  );
}

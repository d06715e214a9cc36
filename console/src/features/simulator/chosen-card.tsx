import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { CardDetails } from '../../lib/types.ts';
import { CardArt } from '../cards/card-art.tsx';
import classes from './chosen-card.module.css';

/** The selected card with its cardholder and what it can spend. */
export function ChosenCard({
  programId,
  card,
  onChange,
}: {
  programId: string;
  card: CardDetails;
  onChange: () => void;
}) {
  return (
    <div className={classes.chosen}>
      <div className={classes.art}>
        <CardArt
          design={card.cardDesign}
          name={card.cardName}
          lastFour={card.lastFour}
          expiryDate={card.expiryDate}
          status={card.status}
          physical={card.cardType === 'physical'}
        />
      </div>
      <div className={classes.words}>
        <Link
          to="/programs/$programId/cards/$cardId"
          params={{ programId, cardId: card.id }}
          className={classes.name}
        >
          {card.cardholderName}
        </Link>
        <span>
          <StatusBadge status={card.status} />
        </span>
        <span className={classes.available}>
          Available <Amount value={card.availableCredit} currency={card.currency} />
        </span>
        <Button variant="default" size="xs" onClick={onChange}>
          Choose another card
        </Button>
      </div>
    </div>
  );
}

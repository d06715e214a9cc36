import { type Icon, IconBan, IconClock, IconSnowflake } from '@tabler/icons-react';
import { formatUtcDay } from '../../lib/time.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-standing.module.css';

/** Explains a state other than active at the top of the page. */
export function CardStanding({ card }: { card: CardDetails }) {
  const said = standingOf(card);
  if (!said) return null;
  const [Shape, tone, title, text] = said;
  return (
    <div className={classes.standing} data-tone={tone}>
      <Shape size={18} />
      <div>
        <strong>{title}</strong> <span className={classes.text}>{text}</span>
      </div>
    </div>
  );
}

function standingOf(card: CardDetails): [icon: Icon, tone: string, title: string, text: string] | null {
  switch (card.status) {
    case 'ACTIVE':
      return null;
    case 'FROZEN':
      return [
        IconSnowflake,
        'cool',
        `This card is frozen${card.statusReason ? `: ${card.statusReason}.` : '.'}`,
        'New purchases are declined until it is unfrozen. Purchases that are already approved still clear.',
      ];
    case 'BLOCKED':
      return [
        IconBan,
        'bad',
        `This card is permanently blocked${card.statusReason ? `: ${card.statusReason}.` : '.'}`,
        card.replacedBy
          ? 'It cannot be unfrozen or reissued. Another card was issued in its place.'
          : 'It cannot be unfrozen or reissued. If the customer needs another card, issue a replacement.',
      ];
    case 'EXPIRED':
      return [
        IconClock,
        'quiet',
        `This card expired on ${formatUtcDay(card.expiryDate)}.`,
        'Reissue it with a new expiry date to make it usable again.',
      ];
  }
}

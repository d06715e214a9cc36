import { Button } from '@mantine/core';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { BULK_KINDS, type BulkOutcome, countedCards } from './bulk-kinds.ts';
import classes from './bulk-results.module.css';

export default function BulkResults({ name, results, onClose }: BulkOutcome & { onClose: () => void }) {
  const { done, doneAll } = BULK_KINDS[name];
  const changed = results.filter(({ error }) => error === null).length;
  return (
    <Dialog opened onClose={onClose} title={doneAll(`${changed} of ${countedCards(results.length)}`)}>
      <ul className={classes.list} aria-label="Results">
        {results.map(({ card, error }) => (
          <li key={card.id} className={classes.result}>
            <span>
              {card.cardholderName} <span className="num">••••&nbsp;{card.lastFour}</span>
            </span>
            <ToneBadge tone={error === null ? 'cool' : 'bad'}>{error ?? done(card)}</ToneBadge>
          </li>
        ))}
      </ul>
      <DialogFooter>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

import { Button } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { formatDayAndTime, formatUtcMoment, parseTime } from '../../lib/time.ts';
import type { CardDetails } from '../../lib/types.ts';
import { useCardChange } from '../cards/use-card-change.ts';
import { LIMIT_WORDS, type RaisableLimit } from './words.ts';

/** The raised amount of a limit, until when, and a button that ends it. */
export function TemporaryLimit({
  card,
  name,
  mayEnd,
}: {
  card: CardDetails;
  name: RaisableLimit;
  mayEnd: boolean;
}) {
  const ending = useCardChange(
    card,
    (api, _path, limit: RaisableLimit) =>
      api.put(`cards/${encodeURIComponent(card.id)}/temporary-limits/`, {
        temporaryLimits: { [limit]: null },
      }),
    { done: `The temporary ${LIMIT_WORDS[name].toLowerCase()} ended`, onClose: () => {} },
  );
  const limit = card.spendControls.temporaryLimits[name];
  if (!limit) return null;
  const at = parseTime(limit.endsAt);
  return (
    <>
      Raised to{' '}
      <strong>
        <Amount value={limit.amount} currency={card.currency} />
      </strong>{' '}
      until{' '}
      <time dateTime={at.toISOString()} title={formatUtcMoment(at)}>
        {formatDayAndTime(at)}
      </time>{' '}
      {mayEnd && (
        <Button
          variant="subtle"
          size="xs"
          loading={ending.isPending}
          onClick={() => ending.mutate(name)}
          aria-label={`End the temporary ${LIMIT_WORDS[name].toLowerCase()}`}
        >
          End now
        </Button>
      )}
    </>
  );
}

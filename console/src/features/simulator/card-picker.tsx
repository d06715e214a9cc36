import { TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { listQuery } from '../../components/list/queries.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useProgram } from '../../lib/program.ts';
import type { Card } from '../../lib/types.ts';
import { searchQuery } from '../search/queries.ts';
import classes from './card-picker.module.css';
import { NoCards } from './no-cards.tsx';

const PAUSE_MS = 200;
const SHOWN = 6;

/** Selects the card to swipe, by search or from the newest cards. */
export function CardPicker({ onPick }: { onPick: (cardId: string) => void }) {
  const { id: programId } = useProgram();
  const [text, setText] = useState('');
  const [searched] = useDebouncedValue(text.trim(), PAUSE_MS);
  const search = useQuery(searchQuery(programId, searched));
  const newest = useInfiniteQuery(listQuery<Card>(programId, 'cards', {}));
  const isSearching = text.trim() !== '';
  const found: Card[] = isSearching
    ? (search.data?.results ?? []).map(({ card }) => card)
    : (newest.data?.pages[0]?.results ?? []);
  const error = isSearching ? search.error : newest.error;
  if (newest.data?.pages[0]?.results.length === 0) return <NoCards />;
  return (
    <div className={classes.picker}>
      <TextInput
        label="Card"
        placeholder="Name, last four digits, customer id or card id"
        type="search"
        autoComplete="off"
        maxLength={255}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {error && <ErrorPanel error={error} />}
      {isSearching && search.data && searched === text.trim() && found.length === 0 && (
        <p className={classes.none}>No card matches. Names match from the beginning of a word.</p>
      )}
      {found.length > 0 && (
        <ul className={classes.list} aria-label={isSearching ? 'Cards found' : 'Newest cards'}>
          {found.slice(0, SHOWN).map((card) => (
            <li key={card.id}>
              <UnstyledButton className={classes.card} onClick={() => onPick(card.id)}>
                <span className={classes.who}>
                  <span className={classes.name}>{card.cardholderName}</span>
                  <span className={`${classes.detail} num`}>
                    ••••&nbsp;{card.lastFour} · {card.externalCustomerId}
                  </span>
                </span>
                <StatusBadge status={card.status} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

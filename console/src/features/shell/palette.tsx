import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isCardNumber, mayBecomeCardNumber } from '../../lib/card-number.ts';
import { useProgram } from '../../lib/program.ts';
import { searchQuery } from '../search/queries.ts';
import classes from './palette.module.css';
import { type Entry, useActionEntries } from './palette-actions.tsx';
import { useFoundEntries, usePageEntries } from './palette-entries.tsx';

const [store, spotlight] = createSpotlight();
const PAUSE_MS = 150;
const MOST_PER_GROUP = 6;

const matches = (label: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word));

const listed = (selector: string): Element | null | undefined =>
  document.getElementById(store.getState().listId)?.querySelector(selector);

/** Enter runs the selected entry. Spotlight selects only among the entries before the query changed. */
function selectFirst(): void {
  listed('[data-selected]')?.removeAttribute('data-selected');
  listed('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Pages, cards, customers and actions by name, with the keyboard. Mounted while it is open. */
export default function Palette({
  query,
  onQuery,
  onClose,
  onOpen,
}: {
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  onOpen: (dialog: string) => void;
}) {
  const { id: programId } = useProgram();
  const [searched] = useDebouncedValue(query.trim(), PAUSE_MS);
  const found = useQuery(searchQuery(programId, mayBecomeCardNumber(searched) ? '' : searched));
  const isSettled = searched === query.trim() && !found.isFetching;
  const groups: Array<[label: string, entries: Entry[]]> = [
    ['Actions', useActionEntries(onOpen).filter(({ label }) => matches(label, query))],
    ['Pages', usePageEntries().filter(({ label }) => matches(label, query))],
    ['Cards and customers', useFoundEntries(query.trim() === '' ? undefined : found.data)],
  ];
  const isEmpty = groups.every(([, entries]) => entries.length === 0);
  useEffect(() => spotlight.open(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each query.
  useEffect(() => selectFirst(), [query]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: results can arrive when nothing is selected.
  useEffect(() => {
    if (!listed('[data-selected]')) selectFirst();
  }, [found.data]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={onQuery}
      onSpotlightClose={onClose}
      scrollable
      // Its top stays where it is while the results change.
      centered={false}
      yOffset="12vh"
      maxHeight="min(70vh, 480px)"
      title="Command palette"
      classNames={{ header: classes.header ?? '', actionDescription: classes.description ?? '' }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
    >
      <Spotlight.Search
        aria-label="Search pages, cards, customers and actions"
        placeholder="Search pages, cards, actions"
        leftSection={<IconSearch size={18} />}
        maxLength={255}
      />
      <Spotlight.ActionsList>
        {groups
          .filter(([, entries]) => entries.length > 0)
          .map(([label, entries]) => (
            <Spotlight.ActionsGroup key={label} label={label}>
              {entries.slice(0, MOST_PER_GROUP).map((entry) => (
                <Spotlight.Action
                  key={entry.id}
                  label={entry.label}
                  {...(entry.description && { description: entry.description })}
                  leftSection={<entry.icon size={18} />}
                  onClick={entry.run}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        {isEmpty && <Spotlight.Empty>{emptyWords(query, isSettled)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function emptyWords(query: string, isSettled: boolean): string {
  if (isCardNumber(query)) return 'This looks like a full card number. It was not sent.';
  if (mayBecomeCardNumber(query)) return 'To find a card, enter its last four digits.';
  return isSettled ? 'No match' : 'Searching…';
}

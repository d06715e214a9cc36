import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { isCardNumber, mayBecomeCardNumber } from '../../lib/card-number.ts';
import { useProgram } from '../../lib/program.ts';
import type { SearchResult } from '../../lib/types.ts';
import { customersOf, searchQuery } from './queries.ts';
import { ResultRow, TransactionRow } from './result-row.tsx';
import classes from './search-box.module.css';
import { SearchHints } from './search-hints.tsx';

const PAUSE_MS = 150;
const SHOWN = 8;
const SHOWN_TRANSACTIONS = 5;
const ALL = 'all';
const CUSTOMER = 'customer:';

/** A search for a transaction's id opens the transaction. */
const idOf = ({ card, transactionId }: SearchResult): string => transactionId ?? card.id;

/** The search box on every page. `/` moves the focus to it. */
export function SearchBox() {
  const { id: programId } = useProgram();
  const navigate = useNavigate();
  const { q: shown = '' } = useSearch({ strict: false }) as { q?: string };
  const [text, setText] = useState(shown);
  const [searched] = useDebouncedValue(text.trim(), PAUSE_MS);
  const input = useRef<HTMLInputElement>(null);
  const isNumber = isCardNumber(text);
  const waits = mayBecomeCardNumber(text);
  const query = useQuery(searchQuery(programId, mayBecomeCardNumber(searched) ? '' : searched));
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  useFocusKey(input);
  // The box shows the search of the current page.
  useEffect(() => setText(shown), [shown]);

  const isSearch = text.trim() !== '' && !waits;
  const found = isSearch ? (query.data?.results ?? []) : [];
  const transactions = isSearch ? (query.data?.transactions ?? []) : [];
  const foundAny = found.length > 0 || transactions.length > 0;
  const settled = !query.isPlaceholderData && searched === text.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter opens the best match as soon as it is known.
  useEffect(() => {
    if (settled && foundAny) combobox.selectFirstOption();
    else combobox.resetSelectedOption();
  }, [query.data, settled]);

  const leave = () => {
    combobox.closeDropdown();
    input.current?.blur();
  };
  const openAll = () => {
    if (isNumber) return;
    leave();
    void navigate({ to: '/programs/$programId/cards', params: { programId }, search: { q: text.trim() } });
  };
  const open = (value: string) => {
    if (value === ALL) return openAll();
    leave();
    setText('');
    if (value.startsWith(CUSTOMER))
      return void navigate({
        to: '/programs/$programId/customers/$customerId',
        params: { programId, customerId: value.slice(CUSTOMER.length) },
      });
    const transactionId =
      found.find((result) => idOf(result) === value)?.transactionId ??
      transactions.find(({ id }) => id === value)?.id;
    if (transactionId)
      void navigate({
        to: '/programs/$programId/transactions/$transactionId',
        params: { programId, transactionId },
      });
    else void navigate({ to: '/programs/$programId/cards/$cardId', params: { programId, cardId: value } });
  };

  return (
    <search className={classes.box}>
      <Combobox
        store={combobox}
        onOptionSubmit={open}
        position="bottom-start"
        withinPortal={false}
        width="min(600px, calc(100vw - 20px))"
        shadow="lg"
        radius="lg"
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            ref={input}
            type="search"
            aria-label="Search cards, customers, payments"
            placeholder="Search cards, customers, payments"
            autoComplete="off"
            spellCheck={false}
            maxLength={255}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              combobox.openDropdown();
            }}
            onFocus={() => combobox.openDropdown()}
            onClick={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && text.trim() !== '' && !(settled && foundAny)) openAll();
              if (event.key !== 'Escape') return;
              // Otherwise the browser clears the field, and the change would open the panel again.
              event.preventDefault();
              leave();
            }}
            leftSection={<IconSearch size={17} />}
            rightSection={<kbd className={classes.key}>/</kbd>}
            rightSectionPointerEvents="none"
            classNames={{ input: classes.input ?? '' }}
          />
        </Combobox.Target>
        <Combobox.Dropdown className={classes.dropdown}>
          {text.trim() === '' && <SearchHints />}
          {text.trim() !== '' && !waits && query.error && <ErrorPanel error={query.error} />}
          {isNumber && (
            <p className={classes.none}>
              This looks like a full card number. It was not sent.{' '}
              <strong>Enter only the last four digits.</strong>
            </p>
          )}
          {waits && !isNumber && (
            <p className={classes.none}>
              Press Enter to search for this number as a phone number or an id.{' '}
              <strong>To find a card, enter its last four digits.</strong>
            </p>
          )}
          {text.trim() !== '' && !waits && settled && query.data && !foundAny && (
            <p className={classes.none}>
              No match for <strong>{searched}</strong>.{' '}
              {searched.length < 3
                ? 'Enter at least three letters of a name.'
                : 'Names match from the beginning of a word, and one typo is tolerated. Card numbers match by their last four digits.'}
            </p>
          )}
          {foundAny && (
            <Combobox.Options aria-label="Found">
              {found.slice(0, SHOWN).map((result) => (
                <Combobox.Option key={idOf(result)} value={idOf(result)} className={classes.option}>
                  <ResultRow result={result} searched={searched} />
                </Combobox.Option>
              ))}
              {customersOf(found).map(({ id }) => (
                <Combobox.Option key={id} value={`${CUSTOMER}${id}`} className={classes.option}>
                  <span className={classes.customer}>
                    <IconUser size={16} /> Customer {id}
                  </span>
                </Combobox.Option>
              ))}
              {transactions.slice(0, SHOWN_TRANSACTIONS).map((transaction) => (
                <Combobox.Option key={transaction.id} value={transaction.id} className={classes.option}>
                  <TransactionRow transaction={transaction} />
                </Combobox.Option>
              ))}
              {(found.length > SHOWN || query.data?.more || transactions.length > SHOWN_TRANSACTIONS) && (
                <Combobox.Option value={ALL} className={classes.all}>
                  Show all results
                </Combobox.Option>
              )}
            </Combobox.Options>
          )}
        </Combobox.Dropdown>
      </Combobox>
    </search>
  );
}

/** Ignored in input fields and while a dialog is open. */
function useFocusKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const writing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      const slash = event.key === '/' && !writing && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!slash || document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}

import { useState } from 'react';
import type { Column } from './column.ts';
import type { ListName } from './queries.ts';

const keyOf = (list: ListName): string => `emboss.columns.${list}`;

/** The columns that an operator chose in this browser, or else those that are not extra. */
export function useShownColumns<Row>(
  list: ListName,
  columns: Array<Column<Row>>,
): [shown: string[], show: (keys: string[] | null) => void] {
  const [chosen, setChosen] = useState(() => read(list));
  const known = columns.map(({ key }) => key);
  const usual = columns.filter(({ extra }) => !extra).map(({ key }) => key);
  const valid = chosen?.filter((key) => known.includes(key)) ?? [];
  const show = (keys: string[] | null) => {
    setChosen(keys);
    try {
      if (keys === null) localStorage.removeItem(keyOf(list));
      else localStorage.setItem(keyOf(list), keys.join());
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  };
  return [valid.length > 0 ? known.filter((key) => valid.includes(key)) : usual, show];
}

function read(list: ListName): string[] | null {
  try {
    return localStorage.getItem(keyOf(list))?.split(',') ?? null;
  } catch {
    return null;
  }
}

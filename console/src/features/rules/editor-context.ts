import { createContext, useContext } from 'react';
import type { Fault, RuleField, RuleList } from './queries.ts';

interface Editor {
  /** The catalogue. */
  fields: readonly RuleField[];
  lists: readonly RuleList[];
  /** Where the condition is wrong. */
  fault: Fault | undefined;
}

export const EditorContext = createContext<Editor>({ fields: [], lists: [], fault: undefined });

export const useEditor = (): Editor => useContext(EditorContext);

/** What is wrong at a path or below it, unless it is below one of the others, which show it themselves. */
export function useFault(path: string, others: readonly string[] = []): string | undefined {
  const { fault } = useEditor();
  if (!fault || !isBelow(fault.path, path)) return undefined;
  return others.some((other) => isBelow(fault.path, other)) ? undefined : fault.rule;
}

const isBelow = (path: string, start: string): boolean =>
  path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`);

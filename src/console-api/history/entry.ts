import { actionWords } from '../../audit/actions.ts';
import type { Entry } from '../../audit/entry.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';

export const ACTOR_KINDS = ['operator', 'key', 'cli', 'system'] as const;
/** The parsed name of an actor in the audit. */
export interface ActorName {
  kind: (typeof ACTOR_KINDS)[number];
  /** The text after the kind: an id or a name. */
  name: string;
}

/**
 * `key:<id>`, `operator:<name> <address>`, `cli:<user>`, `system:<part>`. A name without a known kind is of the system.
 */
export function parseActor(text: string): ActorName {
  const colon = text.indexOf(':');
  const kind = ACTOR_KINDS.find((known) => known === text.slice(0, colon));
  return kind ? { kind, name: text.slice(colon + 1) } : { kind: 'system', name: text };
}

/** These fields are shown separately from the changes. */
const REASONS = ['reason', 'statusReason'];

export function presentEntry(entry: Entry, actor: ActorName) {
  const { id, action, address, cardId, before, after, requestId, createdAt } = entry;
  return {
    id,
    action,
    words: actionWords(action),
    cardId,
    actor,
    address,
    reason: reasonOf(before, after),
    changes: changesOf(before, after),
    requestId,
    created: formatTimestamp(createdAt),
  };
}

type Fields = Entry['after'];

/** The reason of the action. The reason of a block stays on the card, so only the entry that sets it shows it. */
function reasonOf(before: Fields, after: Fields): string | null {
  const given = after?.['reason'];
  if (typeof given === 'string') return given;
  const status = after?.['statusReason'];
  return typeof status === 'string' && before?.['statusReason'] !== status ? status : null;
}

/** The fields that differ. An entry without a state before it has no changes. */
function changesOf(before: Fields, after: Fields) {
  if (!before || !after) return [];
  const [old, fresh] = [flatten(before), flatten(after)];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return fields
    .filter((field) => !REASONS.includes(field))
    .map((field) => ({ field, before: textOf(old[field]), after: textOf(fresh[field]) }))
    .filter((change) => change.before !== change.after);
}

/** The fields of temporary limits are changes of their own. */
const flatten = ({ temporaryLimits = {}, ...fields }: Record<string, unknown>): Record<string, unknown> => ({
  ...fields,
  ...Object.fromEntries(
    Object.entries(temporaryLimits as object).map(([name, limit]) => [`temporaryLimits.${name}`, limit]),
  ),
});

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { invalid } from '../kernel/error.ts';
import type { AppliesTo } from './rule.ts';

const MOST_SUBJECTS = 1_000;
const KINDS = ['customerIds', 'cardIds'] as const;

/** What a rule applies to, as a request says it. Throws a 400 that names the path. */
export function readSubjects(given: unknown, path = 'appliesTo'): AppliesTo {
  if (given === 'PROGRAM') return given;
  if (given === undefined) throw invalid(path, 'is required');
  const fields = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  const [kind, other] = KINDS.filter((name) => Object.hasOwn(fields, name));
  if (kind === undefined || other !== undefined)
    throw invalid(path, 'must be "PROGRAM", or have either customerIds or cardIds');
  const ids: unknown = (fields as Record<string, unknown>)[kind];
  if (!Array.isArray(ids)) throw invalid(`${path}.${kind}`, 'must be a list of ids');
  if (ids.length === 0) throw invalid(`${path}.${kind}`, 'must not be empty');
  if (ids.length > MOST_SUBJECTS)
    throw invalid(`${path}.${kind}`, `must have at most ${MOST_SUBJECTS} items`);
  const index = ids.findIndex((id) => typeof id !== 'string' || id === '' || id.length > 255);
  if (index >= 0) throw invalid(`${path}.${kind}[${index}]`, 'must be a string of 1 to 255 characters');
  return (kind === 'cardIds' ? { cardIds: ids } : { customerIds: ids }) as AppliesTo;
}

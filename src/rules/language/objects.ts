import { invalid } from '../../kernel/error.ts';
import { suggestion } from './words.ts';

/** A JSON object with none but these keys, or a 400 that names the path of the other key. */
export function readObject(
  path: string,
  value: unknown,
  keys: readonly string[],
  what: string,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(path, `must be an object: ${what}`);
  const wrong = Object.keys(value).find((key) => !keys.includes(key));
  if (wrong === undefined) return value as Record<string, unknown>;
  // A key of other signs is not part of a path.
  const at = /^\w{1,60}$/.test(wrong) ? `${path}.${wrong}` : path;
  throw invalid(at, `is not a key of ${what}${suggestion(wrong, keys)}`);
}

import { invalid } from '../../kernel/error.ts';
import type { ProgramMode } from '../../programs/program.ts';

/** Plain host names: CSP would read other characters as wildcards or as the end of the directive. */
const ORIGIN = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

export const isOrigin = (text: string): boolean =>
  ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** As for webhooks: http is allowed in sandbox programs only. */
export function readOrigin(text: string | null, mode: ProgramMode): string | null {
  if (text === null) return null;
  if (!isOrigin(text))
    throw invalid('origin', 'must be an origin without a path, such as https://app.example.com, or null');
  if (mode === 'live' && !text.startsWith('https:'))
    throw invalid('origin', 'must begin with https:// in a live program');
  return text;
}

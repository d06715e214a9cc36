import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', '.emboss-setup']);

/** All files below a directory; what git ignores is left out. */
export const listFiles = (directory: string): string[] =>
  listEverything(directory, (name) => !NOT_OURS.has(name) && !name.endsWith('.log'));

/** All files below a directory. */
export function listEverything(
  directory: string,
  isWanted: (name: string) => boolean = () => true,
): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (!isWanted(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listEverything(path, isWanted) : entry.isFile() ? [path] : [];
  });
}

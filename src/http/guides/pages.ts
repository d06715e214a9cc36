import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { type StaticFile, staticFile } from '../static-file.ts';
import { layOut } from './layout.ts';

export const GUIDES = '/docs/guides';
const TYPE = 'text/html; charset=utf-8';
const INDEX = 'README.md';

/** No address: every page's begins with a slash. */
export const NOT_FOUND = 'not found';

/** Every page under its address, and the one for unknown addresses. */
export async function renderPages(directory: string): Promise<Map<string, StaticFile>> {
  // The server starts without the Markdown library.
  const { linkGroups, renderPage } = await import('./render.ts');
  const files = markdownIn(directory);
  const index = files.get(INDEX) ?? '';
  const targetOf = (from: string) => (target: string) => linkAddress(files, from, target);
  const groups = linkGroups(index).map(({ title, links }) => ({
    title,
    links: links.flatMap(({ href, title }) => {
      const address = targetOf(INDEX)(href);
      return address === undefined ? [] : [{ address, title }];
    }),
  }));
  const pages = [...files].map(([name, markdown]): [string, StaticFile] => {
    const address = addressOf(name);
    const html = layOut({ ...renderPage(markdown, targetOf(name)), address, groups });
    return [address, staticFile(Buffer.from(html), TYPE)];
  });
  const missing = renderPage(
    `# No such page\n\nAll pages are in the list. Start at [the index](${INDEX}).`,
    targetOf(INDEX),
  );
  return new Map([
    ...pages,
    [NOT_FOUND, staticFile(Buffer.from(layOut({ ...missing, address: NOT_FOUND, groups })), TYPE)],
  ]);
}

/** By their paths in the folder, with `/` on every system. */
function markdownIn(directory: string): Map<string, string> {
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return new Map(
    names.map((name) => [name.split(sep).join('/'), readFileSync(join(directory, name), 'utf8')]),
  );
}

/** `operate.md` is `/docs/guides/operate`, and a folder's README is the folder itself. */
export const addressOf = (name: string): string =>
  posix.join(GUIDES, name.replace(/\.md$/, '').replace(/(^|\/)README$/, '')).replace(/\/$/, '');

/** Where a link of a page leads: elsewhere on the web, or to a page of ours; undefined for other files. */
function linkAddress(files: ReadonlyMap<string, string>, from: string, target: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const name = posix.join(posix.dirname(from), path);
  const found = [name, posix.join(name, INDEX)].find((each) => files.has(each));
  return found && `${addressOf(found)}${anchor ? `#${anchor}` : ''}`;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import type { App } from '../server.ts';
import { type StaticFile, sendFile, staticFile } from '../static-file.ts';
import { contentPolicy, layOut } from './layout.ts';
import { linkGroups, renderPage } from './render.ts';

const GUIDES = '/docs/guides';
const TYPE = 'text/html; charset=utf-8';
const INDEX = 'README.md';

/**
 * The Markdown files of a folder as pages under `/docs/guides`. All are rendered at the first visit, so that a name is
 * looked up in a list and never reaches the disk.
 */
export function serveGuides(app: App, directory: string): void {
  let pages: Map<string, StaticFile> | undefined;
  const hidden = { schema: { hide: true } as never };
  for (const path of [GUIDES, `${GUIDES}/*`])
    app.get(path, hidden, async (request, reply) => {
      pages ??= renderPages(directory);
      const { '*': name = '' } = request.params as { '*'?: string };
      const page = pages.get(addressOf(name.replace(/\/$/, '')));
      const file = page ?? (pages.get(NOT_FOUND) as StaticFile);
      reply.code(page ? 200 : 404).header('content-security-policy', contentPolicy);
      return sendFile(request, reply, file);
    });
}

/** No address: every page's begins with a slash. */
const NOT_FOUND = 'not found';

function renderPages(directory: string): Map<string, StaticFile> {
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
const addressOf = (name: string): string =>
  posix.join(GUIDES, name.replace(/\.md$/, '').replace(/(^|\/)README$/, '')).replace(/\/$/, '');

/** Where a link of a page leads: elsewhere on the web, or to a page of ours; undefined for other files. */
function linkAddress(files: ReadonlyMap<string, string>, from: string, target: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const name = posix.join(posix.dirname(from), path);
  const found = [name, posix.join(name, INDEX)].find((each) => files.has(each));
  return found && `${addressOf(found)}${anchor ? `#${anchor}` : ''}`;
}

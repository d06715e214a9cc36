import type { App } from '../server.ts';
import { type StaticFile, sendFile } from '../static-file.ts';
import { AnyQuery } from '../validation.ts';
import { addressOf, GUIDES, NOT_FOUND, renderPages } from './pages.ts';
import { contentPolicy } from './style.ts';

/**
 * The Markdown files of a folder as pages under `/docs/guides`. All are rendered at the first visit, so that a name is
 * looked up in a list and never reaches the disk.
 */
export function serveGuides(app: App, directory: string): void {
  let rendering: ReturnType<typeof renderPages> | undefined;
  const hidden = { schema: { hide: true, querystring: AnyQuery } as never };
  for (const path of [GUIDES, `${GUIDES}/*`])
    app.get(path, hidden, async (request, reply) => {
      rendering ??= renderPages(directory).catch((error) => {
        rendering = undefined;
        throw error;
      });
      const pages = await rendering;
      const { '*': name = '' } = request.params as { '*'?: string };
      const page = pages.get(addressOf(name.replace(/\/$/, '')));
      const file = page ?? (pages.get(NOT_FOUND) as StaticFile);
      reply.code(page ? 200 : 404).header('content-security-policy', contentPolicy);
      return sendFile(request, reply, file);
    });
}

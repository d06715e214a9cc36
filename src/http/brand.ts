import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbossError } from '../kernel/error.ts';
import { DARK, LIGHT, LOGO } from './brand.gen.ts';
import type { App } from './server.ts';
import { type StaticFile, sendFile, staticFile } from './static-file.ts';
import { AnyQuery } from './validation.ts';

export const FONT_PATH = '/docs/inter.woff2';
/** For a host of `REVEAL_URL`, which may pass on `/reveal/` only. */
export const REVEAL_FONT_PATH = '/reveal/inter.woff2';

/** The console's colours and fonts, by their names there. */
export const TOKENS = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
`;

/** The console's font, of this server, for pages whose URL is public: Chromium sends it as the referrer of the font. Allow `font-src 'self'`. */
export const FONT = `
@font-face { font-family: "Inter Variable"; font-display: swap; font-weight: 100 900; src: url("${FONT_PATH}") format("woff2"); }
`;

/** The same without a referrer, for a page whose URL grants something: a promise in its script, which never rejects. */
export const fontScript = (
  path: string,
): string => `fetch('${path}', { credentials: 'omit', referrerPolicy: 'no-referrer' })
  .then(async (response) => new FontFace('Inter Variable', await response.arrayBuffer(), { weight: '100 900' }).load())
  .then((face) => document.fonts.add(face), () => {})`;

export const LOGO_SVG = LOGO.replace('<svg ', '<svg class="logo" width="24" height="24" aria-hidden="true" ');

export const ICON = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(LOGO)}">`;

/** Serves the font out of the console's build. Without one, pages use a font of the device. */
export function serveFont(app: App, consoleDirectory: string): void {
  let file: StaticFile | undefined;
  for (const path of [FONT_PATH, REVEAL_FONT_PATH])
    app.get(path, { schema: { hide: true, querystring: AnyQuery } as never }, async (request, reply) => {
      file ??= readFont(join(consoleDirectory, 'assets'));
      if (!file) throw new EmbossError(404, 'No such path');
      // Some pages have an opaque origin, for which every file is of another one.
      reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      return sendFile(request, reply, file, 'public, max-age=86400');
    });
}

function readFont(directory: string): StaticFile | undefined {
  if (!existsSync(directory)) return undefined;
  const name = readdirSync(directory).find((each) => /^inter-latin-wght-normal-.*\.woff2$/.test(each));
  return name ? staticFile(readFileSync(join(directory, name)), 'font/woff2') : undefined;
}

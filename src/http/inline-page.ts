import { createHash } from 'node:crypto';
import { ICON } from './brand.ts';
import { type StaticFile, staticFile } from './static-file.ts';

export interface InlinePage {
  file: StaticFile;
  /** Its content policy, without `frame-ancestors`. */
  policy: string;
}

/** A page without data in one file. It loads nothing: its script and style run by their hashes, and can only call this server. */
export function inlinePage({
  title,
  style,
  body,
  script,
}: Record<'title' | 'style' | 'body' | 'script', string>): InlinePage {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${ICON}
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return { file: staticFile(Buffer.from(html), 'text/html; charset=utf-8'), policy };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

import { createHash } from 'node:crypto';
import { staticFile } from '../../http/static-file.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE } from './page-style.ts';

/** The same for every session and every unknown id: the values and the theme come with the page's one request. */
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Card details</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 class="unseen">Card details</h1>
<dl id="values"></dl>
<p id="end" hidden><span id="countdown" aria-hidden="true"></span> <button id="hide" type="button">Hide now</button></p>
<p id="status" role="status">Loading…</p>
<noscript>Switch on JavaScript to see the card.</noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

export const PAGE = staticFile(Buffer.from(HTML), 'text/html; charset=utf-8');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page loads nothing: its script and style run by their hashes, and its script can only call this server. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Only pages of `origin` can frame the page. */
export const pageHeaders = (origin: string | null): Record<string, string> => ({
  'content-security-policy': `${POLICY}; frame-ancestors ${origin ?? "'none'"}`,
  'permissions-policy': 'clipboard-write=(self)',
});

import { createHash } from 'node:crypto';
import { FONT, TOKENS } from '../brand.ts';

export const STYLE = `${TOKENS}${FONT}
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 var(--font); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 12px 16px; background: var(--surface); border-bottom: 1px solid var(--line); }
header a { color: var(--muted); font-size: 14px; text-decoration: none; }
header a:first-child { display: flex; align-items: center; gap: 10px; color: var(--text); font-weight: 600; margin-right: auto; }
header a:hover, nav a:hover { color: var(--text); text-decoration: underline; }
.body { display: grid; grid-template: 'main' 'list' / minmax(0, 1fr); max-width: 1180px; margin: 0 auto; }
main { grid-area: main; min-width: 0; margin: 16px; padding: 8px 20px 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow-wrap: break-word; }
nav { grid-area: list; padding: 16px 20px; font-size: 14px; }
nav h2 { margin: 18px 0 4px; font-size: 12px; color: var(--muted); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { padding-left: 14px; }
nav a { display: block; padding: 4px 8px; color: var(--muted); text-decoration: none; border-radius: 8px; }
nav a[aria-current] { color: var(--accent); background: var(--accent-soft); }
h1, main h2, h3 { line-height: 1.25; }
h1 { font-size: 28px; }
main h2 { margin-top: 36px; font-size: 21px; }
h3 { margin-top: 28px; font-size: 17px; }
.anchor { margin-left: 8px; color: var(--muted); text-decoration: none; font-weight: 400; }
code { font: 0.88em/1.5 var(--mono); background: var(--surface-sunken); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 12px 14px; background: var(--surface-sunken); border: 1px solid var(--line); border-radius: 8px; }
pre code { padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 7px 12px 7px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); min-width: 90px; }
th { color: var(--muted); font-weight: 600; }
@media (min-width: 62em) {
  .body { grid-template: 'list main' / 250px minmax(0, 1fr); }
  main { padding: 12px 40px 40px; }
  .to-list { display: none; }
  th code, td code { overflow-wrap: break-word; }
}
@media print { header, nav { display: none; } }
`;

/** No script, no cookie, and nothing loaded but the font: the one style is allowed by its hash. */
export const contentPolicy = [
  'sandbox',
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "font-src 'self'",
  // The icon.
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

import { ICON, LOGO_SVG } from '../brand.ts';
import { escapeHtml } from './escape-html.ts';
import type { Heading } from './render.ts';
import { STYLE } from './style.ts';

interface Page {
  title: string;
  html: string;
  sections: readonly Heading[];
  address: string;
  /** All pages, for the list beside this one. */
  groups: ReadonlyArray<{ title: string; links: ReadonlyArray<{ address: string; title: string }> }>;
}

/** The whole document. The list comes after the text, so that it is below it on a narrow screen. */
export const layOut = ({ title, html, sections, address, groups }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Emboss docs</title>
${ICON}
<style>${STYLE}</style>
</head>
<body>
<header>
<a href="/docs/guides">${LOGO_SVG} Emboss</a>
<a class="to-list" href="#pages">All pages</a>
<a href="/docs">API reference</a>
<a href="/console/">Console</a>
</header>
<div class="body">
<main>
${html}</main>
<nav id="pages" aria-label="Pages">
${groups.map((group) => `<h2>${escapeHtml(group.title)}</h2>\n<ul>\n${group.links.map((link) => pageLink(link, address, sections)).join('\n')}\n</ul>`).join('\n')}
</nav>
</div>
</body>
</html>
`;

function pageLink(
  link: { address: string; title: string },
  here: string,
  sections: readonly Heading[],
): string {
  const title = escapeHtml(link.title);
  if (link.address !== here) return `<li><a href="${link.address}">${title}</a></li>`;
  const parts = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<li><a href="${link.address}" aria-current="page">${title}</a>${parts.length > 0 ? `<ul>${parts.join('')}</ul>` : ''}</li>`;
}

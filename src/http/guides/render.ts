import { Marked } from 'marked';
import { escapeHtml } from './escape-html.ts';

export interface Heading {
  id: string;
  title: string;
}

interface RenderedPage {
  html: string;
  title: string;
  sections: Heading[];
}

export interface LinkGroup {
  title: string;
  links: Array<{ href: string; title: string }>;
}

/**
 * A page of Markdown as HTML. `addressOf` returns the address for a link's target; without one only the link's text is
 * shown. Raw HTML is shown as text, and comments are left out.
 */
export function renderPage(
  markdown: string,
  addressOf: (target: string) => string | undefined,
): RenderedPage {
  const sections: Heading[] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ depth, text, tokens }) {
        const heading = { id: anchorOf(text), title: text.replaceAll('`', '') };
        if (depth === 1) title = heading.title;
        if (depth === 2) sections.push(heading);
        const link = `<a class="anchor" href="#${heading.id}" aria-label="Link to ${escapeHtml(heading.title)}">#</a>`;
        return `<h${depth} id="${heading.id}">${this.parser.parseInline(tokens)}${depth > 1 ? link : ''}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      image: ({ text }) => escapeHtml(text),
      // What may be wider than the screen scrolls by itself, with the keyboard too.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  return { html: marked.parse(markdown, { async: false }), title, sections };
}

/** The links of a page by the headings above them. */
export function linkGroups(markdown: string): LinkGroup[] {
  const marked = new Marked();
  const groups: LinkGroup[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'heading' && token['depth'] === 2) groups.push({ title: token['text'], links: [] });
    if (token.type === 'link') groups.at(-1)?.links.push({ href: token['href'], title: token['text'] });
  });
  return groups;
}

/** The anchor of a heading, as GitHub spells it, so that a link works in both places. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

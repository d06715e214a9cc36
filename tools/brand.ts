import { readFileSync } from 'node:fs';

/** The console's colours and fonts by its style sheet, and its logo, as code for the pages that the server itself makes. */
export function brandCode(styleSheet: string, logo: string): string {
  const css = readFileSync(styleSheet, 'utf8');
  const tokensOf = (selector: string) => {
    const start = css.indexOf(`${selector} {\n`);
    if (start < 0) throw new Error(`${styleSheet} has no ${selector}`);
    return css
      .slice(start + selector.length + 2, css.indexOf('\n}', start))
      .trim()
      .replace(/\s+/g, ' ');
  };
  const svg = readFileSync(logo, 'utf8')
    .replace(/<title>.*<\/title>/, '')
    .replace(/\n\s*/g, '')
    .trim();
  const texts = {
    LIGHT: tokensOf(':root'),
    DARK: tokensOf(':root[data-mantine-color-scheme="dark"]'),
    LOGO: svg,
  };
  const code = Object.entries(texts).map(
    ([name, text]) => `export const ${name} = '${text.replaceAll("'", "\\'")}';\n`,
  );
  return `// Written by "npm run generate" from the console's theme.css and favicon.svg.\n\n${code.join('')}`;
}

/** The code blocks of one language in a page, in order. */
export const codeBlocks = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code as string);

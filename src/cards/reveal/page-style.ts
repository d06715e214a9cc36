import { TOKENS } from '../../http/brand.ts';

/**
 * Sizes are relative to the theme's size, and colours are variables that the theme replaces. The page belongs to a
 * merchant's app: it has no logo, and the theme's font wins. The script loads the console's.
 */
export const STYLE = `${TOKENS}
:root { --background: var(--surface); font: 16px/1.4 var(--font); }
:root[data-size=small] { font-size: 14px; }
:root[data-size=large] { font-size: 20px; }
:root[data-font=system] { font-family: system-ui, sans-serif; }
:root[data-font=serif] { font-family: Georgia, serif; }
:root[data-font=mono] { font-family: ui-monospace, monospace; }
body { margin: 0; background: var(--background); color: var(--text); }
main { max-width: 26em; padding: 1em; box-sizing: border-box; }
dl, p { margin: 0; }
dl > div { margin-bottom: 0.75em; }
dt { font-size: 0.875em; }
dd { margin: 0; display: flex; flex-wrap: wrap; gap: 0.25em 0.75em; align-items: center; justify-content: space-between; }
.value { font-size: 1.25em; font-variant-numeric: tabular-nums; }
#end { display: flex; gap: 0.75em; align-items: center; justify-content: space-between; min-height: 2.75em; }
#end[hidden] { display: none; }
#status { font-size: 0.875em; min-height: 2.8em; margin-top: 0.5em; }
button {
  font: inherit; font-size: 0.875em; color: inherit; background: none; min-height: 2.75em; padding: 0 1em;
  border: 1px solid var(--accent); border-radius: 0.5em; cursor: pointer;
}
button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; user-select: none; }
@media print { #values { display: none; } }
`;

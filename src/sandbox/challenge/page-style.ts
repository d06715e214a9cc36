import { TOKENS } from '../../http/brand.ts';

export const STYLE = `${TOKENS}
:root { font: 16px/1.45 var(--font); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); }
main { max-width: 26em; min-height: 100vh; margin: 0 auto; padding: 1.25em 1em; background: var(--surface); overflow-wrap: anywhere; }
@media (min-width: 30em) { main { min-height: 0; margin: 3em auto; padding: 1.5em; border: 1px solid var(--line); border-radius: 0.75em; } }
h1 { margin: 0 0 0.75em; font-size: 1.25em; line-height: 1.25; }
p { margin: 0 0 1em; }
svg.logo { display: block; margin-bottom: 0.75em; }
[hidden] { display: none !important; }
.sandbox { padding: 0.5em 0.75em; font-size: 0.875em; color: var(--muted); border: 1px dashed var(--line-strong); border-radius: 0.5em; }
dl { margin: 0 0 1.25em; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1em; justify-content: space-between; padding: 0.375em 0; border-bottom: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
label { display: block; margin-bottom: 0.25em; font-weight: 600; }
input {
  width: 100%; min-height: 2.75em; padding: 0 0.75em; font: inherit; font-size: 1.25em; letter-spacing: 0.15em;
  color: inherit; background: var(--surface); border: 1px solid var(--muted); border-radius: 0.375em;
}
.hint { margin: 0.375em 0 1em; font-size: 0.875em; color: var(--muted); }
#actions { margin-top: 0.75em; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75em; }
button {
  flex: 1 1 auto; min-height: 2.75em; padding: 0 1em; font: inherit; color: inherit; background: none;
  border: 1px solid var(--muted); border-radius: 0.5em; cursor: pointer;
}
button.main { flex-basis: 100%; font-weight: 600; color: var(--surface); background: var(--accent); border-color: var(--accent); }
button:disabled { cursor: default; color: var(--muted); background: none; border-style: dashed; border-color: var(--line-strong); }
input:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#status { min-height: 1.45em; margin: 1em 0 0; }
#status[data-tone=good] { color: var(--good); font-weight: 600; }
#status[data-tone=bad] { color: var(--bad); font-weight: 600; }
`;

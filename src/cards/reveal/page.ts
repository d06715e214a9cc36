import { inlinePage } from '../../http/inline-page.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE } from './page-style.ts';

const BODY = `<main>
<h1 class="unseen">Card details</h1>
<dl id="values"></dl>
<p id="end" hidden><span id="countdown" aria-hidden="true"></span> <button id="hide" type="button">Hide now</button></p>
<p id="status" role="status">Loading…</p>
<noscript>Switch on JavaScript to see the card.</noscript>
</main>`;

/** The same for every session and every unknown id: the values and the theme come with the page's one request. */
export const PAGE = inlinePage({ title: 'Card details', style: STYLE, body: BODY, script: SCRIPT });

/** Only pages of `origin` can frame the page. */
export const pageHeaders = (origin: string | null): Record<string, string> => ({
  'content-security-policy': `${PAGE.policy}; frame-ancestors ${origin ?? "'none'"}`,
  'permissions-policy': 'clipboard-write=(self)',
});

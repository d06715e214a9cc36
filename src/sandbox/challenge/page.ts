import { LOGO_SVG } from '../../http/brand.ts';
import { inlinePage } from '../../http/inline-page.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE } from './page-style.ts';

const BODY = `<main>
${LOGO_SVG}
<p class="sandbox"><strong>Sandbox.</strong> This page plays the access control server of a card issuer. No real money moves.</p>
<h1>Confirm your payment</h1>
<dl>
<div><dt>Merchant</dt><dd id="merchant"></dd></div>
<div><dt>Amount</dt><dd id="amount"></dd></div>
<div><dt>Card</dt><dd id="card"></dd></div>
</dl>
<form id="code" hidden novalidate>
<label for="otp">Code</label>
<input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code" maxlength="7" aria-describedby="sent">
<p id="sent" class="hint"></p>
<div class="buttons"><button class="main">Confirm</button></div>
</form>
<p id="app" hidden>Approve this payment in your app. This page continues by itself.</p>
<p id="actions" class="buttons" hidden>
<button id="resend" type="button">Send a new code</button>
<button id="cancel" type="button">Cancel payment</button>
</p>
<p id="status" role="status">Loading…</p>
<noscript>Switch on JavaScript to confirm the payment.</noscript>
</main>`;

/** The same for every challenge: the values come with the page's first request. */
export const PAGE = inlinePage({ title: 'Confirm your payment', style: STYLE, body: BODY, script: SCRIPT });

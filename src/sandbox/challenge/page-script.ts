import { FONT_PATH, fontScript } from '../../http/brand.ts';

/** The script of the page. It shows the state that the server returns, and sends what the cardholder does. */
export const SCRIPT = `
'use strict';
(() => {
  const POLL_MS = 1000;
  const find = (id) => document.getElementById(id);
  const base = location.pathname.replace(/\\/?$/, '/');

  const REASONS = {
    otp_wrong: 'The code was wrong three times. The payment was refused.',
    too_many_attempts: 'Too many wrong codes for this card. The payment was refused.',
    not_approved: 'The payment was not approved in the app.',
    cancelled: 'The payment was cancelled.',
    expired: 'The time is over. Start the payment again in the shop.',
    too_many_sends: 'Too many codes were sent for this card. Try again in an hour.',
    send_failed: 'The code could not be sent. The payment cannot be confirmed now.',
  };

  function say(text, tone) {
    const status = find('status');
    if (status.textContent !== text) status.textContent = text;
    status.dataset.tone = tone || '';
  }

  function resultOf({ status, reason }) {
    if (status === 'AUTHENTICATED') return ['The payment is confirmed. You can close this page.', 'good'];
    return [REASONS[reason] || 'The payment was refused.', 'bad'];
  }

  let shown;
  function show(state) {
    shown = state;
    const isOpen = state.status === 'CHALLENGE';
    const isCode = isOpen && state.method === 'OTP';
    find('merchant').textContent = state.merchant_name || 'Unknown merchant';
    find('amount').textContent = state.amount;
    find('card').textContent = '•••• ' + state.last_four;
    find('code').hidden = !isCode;
    find('app').hidden = !isOpen || isCode;
    find('actions').hidden = !isOpen;
    find('resend').hidden = !isCode;
    find('resend').disabled = state.sends_left === 0;
    find('sent').textContent = 'We sent a code to ' + state.destination + '. Attempts left: ' + state.attempts_left + '.';
    if (!isOpen) say(...resultOf(state));
  }

  async function call(path, body) {
    const response = await fetch(base + path, {
      ...(path !== 'state/' && { method: 'POST' }),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    });
    // What stands between this page and the server may answer without JSON.
    const answer = await response.json().catch(() => undefined);
    if (!response.ok || !answer) throw new Error((answer && answer.message) || 'The server does not respond. Try again.');
    return answer;
  }

  let last = Promise.resolve();
  let hasFailedPoll = false;
  /** One request after the other, so that an older state never replaces a newer one. Undefined: it failed. */
  function run(path, body) {
    last = last.then(async () => {
      try {
        const state = await call(path, body);
        if (hasFailedPoll) say('');
        hasFailedPoll = false;
        show(state);
        return state;
      } catch (error) {
        hasFailedPoll = path === 'state/';
        say(error instanceof TypeError ? 'No connection. Try again.' : error.message, 'bad');
        return undefined;
      }
    });
    return last;
  }

  let isBusy = false;
  /** A second click must not cost another attempt or code. */
  async function act(path, words, body) {
    if (isBusy) return undefined;
    isBusy = true;
    say(words);
    const state = await run(path, body);
    isBusy = false;
    return state;
  }

  const otp = find('otp');
  function refuse(words) {
    otp.setAttribute('aria-invalid', 'true');
    otp.value = '';
    otp.focus();
    say(words, 'bad');
  }
  find('code').addEventListener('submit', async (event) => {
    event.preventDefault();
    const code = otp.value.replaceAll(/\\s/g, '');
    if (!/^\\d{6}$/.test(code)) return refuse('The code has 6 digits.');
    const state = await act('attempts/', 'Checking the code…', { otp: code });
    if (state && state.status === 'CHALLENGE') refuse('The code is wrong. Attempts left: ' + state.attempts_left + '.');
  });
  otp.addEventListener('input', () => otp.removeAttribute('aria-invalid'));
  find('resend').addEventListener('click', async () => {
    const state = await act('resend/', 'Sending a new code…');
    if (state && state.status === 'CHALLENGE') say('We sent a new code. The previous one is no longer valid.');
  });
  find('cancel').addEventListener('click', () => void act('cancel/', 'Cancelling…'));

  /** The app, the worker or another page may end the challenge. */
  async function poll() {
    if (document.visibilityState === 'visible' && (!shown || shown.status === 'CHALLENGE')) {
      const isFirst = !shown;
      const state = await run('state/');
      if (isFirst && state && state.status === 'CHALLENGE') say('');
    }
    if (!shown || shown.status === 'CHALLENGE') setTimeout(poll, POLL_MS);
  }
  void poll();
  void ${fontScript(FONT_PATH)};
})();
`;

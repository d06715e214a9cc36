import { fontScript, REVEAL_FONT_PATH } from '../../http/brand.ts';

/**
 * The script of the page. The values are in this page's memory and document only, until the time is over, the page is
 * hidden or left. No regular expression runs over a value, because the browser keeps the text of the last match. Messages
 * to the page that embeds it name events, fields and the page's height, never values.
 */
export const SCRIPT = `
'use strict';
(() => {
  const verifier = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  const find = (id) => document.getElementById(id);
  const root = document.documentElement;
  const timers = [];
  let isOver = false;

  const FONT_LIMIT_MS = 500;
  const NAMES = { number: 'card number', expiry: 'expiry date', cvv: 'CVV' };
  const labelOf = (field) => NAMES[field].charAt(0).toUpperCase() + NAMES[field].slice(1);
  const say = (text) => { find('status').textContent = text; };

  /** The id in the address ends with the origin. The browser drops messages to any other. */
  function readOrigin() {
    try {
      const id = location.pathname.split('/').filter(Boolean).pop();
      return atob(id.replaceAll('-', '+').replaceAll('_', '/')).slice(32);
    } catch {
      return '';
    }
  }
  const origin = readOrigin();
  function report(event, field) {
    if (!origin || parent === window) return;
    // Before the values are there, the height is too small.
    const height = event !== 'ready' && Math.ceil(document.body.getBoundingClientRect().height);
    parent.postMessage({ source: 'emboss', event, ...(field && { field }), ...(height && { height }) }, origin);
  }

  function end(event, words) {
    if (isOver) return;
    isOver = true;
    timers.forEach(clearInterval);
    getSelection().removeAllRanges();
    find('values').replaceChildren();
    find('end').hidden = true;
    say(words);
    report(event);
  }
  const hide = () => end('hidden', 'The card details are hidden.');
  const fail = (words) => end('failed', words);

  async function copy(field, text, element) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (!copySelected(text, element)) return say('Copying is not allowed here. The text is selected: copy it by hand.');
    }
    say(labelOf(field) + ' copied.');
    report('copied', field);
  }

  /** For webviews without the permission to write to the clipboard. */
  function copySelected(text, element) {
    getSelection().selectAllChildren(element);
    const put = (event) => {
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
    };
    addEventListener('copy', put, { once: true });
    const isCopied = document.execCommand('copy');
    removeEventListener('copy', put);
    if (isCopied) getSelection().removeAllRanges();
    return isCopied;
  }

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  /** Screen readers read the digits one by one, with a pause after each group. */
  function row(field, text, groups, spoken) {
    const shown = make('span', { className: 'value', ariaHidden: 'true' }, groups.join(' '));
    const heard = make('span', { className: 'unseen' }, spoken ?? groups.map((group) => [...group].join(' ')).join(', '));
    const button = make('button', { type: 'button', ariaLabel: 'Copy ' + NAMES[field] }, 'Copy');
    button.addEventListener('click', () => copy(field, text, shown));
    return make('div', {}, make('dt', {}, labelOf(field)), make('dd', {}, make('span', {}, shown, heard), button));
  }

  function groupsOf(digits) {
    const groups = [];
    for (let at = 0; at < digits.length; at += 4) groups.push(digits.slice(at, at + 4));
    return groups;
  }

  function rowsOf({ cardNumber, expiryMonth, expiryYear, cvv }) {
    const rows = [];
    if (cardNumber) rows.push(row('number', cardNumber, groupsOf(cardNumber)));
    if (expiryYear) {
      const text = String(expiryMonth).padStart(2, '0') + '/' + String(expiryYear).slice(2);
      rows.push(row('expiry', text, [text], 'month ' + expiryMonth + ', year ' + expiryYear));
    }
    if (cvv) rows.push(row('cvv', cvv, [cvv]));
    return rows;
  }

  function dress({ size, font, ...colours }) {
    for (const [name, colour] of Object.entries(colours)) root.style.setProperty('--' + name, colour);
    if (size) root.dataset.size = size;
    if (font) root.dataset.font = font;
  }

  function show(answer) {
    if (answer.theme) dress(answer.theme);
    find('values').replaceChildren(...rowsOf(answer));
    find('end').hidden = false;
    const endMs = performance.now() + answer.displaySeconds * 1000;
    const count = () => {
      const seconds = Math.max(0, Math.ceil((endMs - performance.now()) / 1000));
      find('countdown').textContent = 'Hidden in ' + seconds + ' s';
      if (seconds === 10) say('Hidden in 10 seconds.');
    };
    count();
    timers.push(setInterval(count, 1000), setTimeout(hide, answer.displaySeconds * 1000));
    say('The card details are shown for ' + answer.displaySeconds + ' seconds.');
    report('shown');
  }

  /** A slow or missing font delays nothing for long. */
  function loadFont() {
    const loaded = ${fontScript(REVEAL_FONT_PATH)};
    return Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, FONT_LIMIT_MS))]);
  }

  const REFUSED = 'The card details cannot be shown. Request them again in the app.';
  async function load() {
    if (!verifier) return fail(REFUSED);
    const font = loadFont();
    try {
      const response = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ verifier }),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
      });
      if (!response.ok) return fail(REFUSED);
      const answer = await response.json();
      // Before the values, so that the height that the page reports stays.
      await font;
      if (!isOver) show(answer);
    } catch {
      fail('No connection. Request the card details again in the app.');
    }
  }

  addEventListener('pagehide', hide);
  find('hide').addEventListener('click', hide);
  report('ready');
  /** A page in the background does not use up the session. */
  function start() {
    if (isOver || document.visibilityState === 'hidden') return;
    document.removeEventListener('visibilitychange', start);
    document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') hide(); });
    load();
  }
  document.addEventListener('visibilitychange', start);
  start();
})();
`;

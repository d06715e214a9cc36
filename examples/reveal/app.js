import { mountReveal } from './emboss.js';

const find = (id) => document.getElementById(id);
let reveal;

/** Your own server creates the session; the verifier never leaves the browser. */
async function createSession({ challenge }) {
  const response = await fetch('/reveal-session', { method: 'POST', body: JSON.stringify({ challenge }) });
  if (!response.ok) throw new Error((await response.json()).message);
  return response.json();
}

find('show').addEventListener('click', () => {
  reveal?.destroy();
  find('message').textContent = '';
  reveal = mountReveal(find('card'), createSession, ({ event, field, cause }) => {
    // Without a cause, the frame itself shows what is wrong.
    if (cause) find('message').textContent = cause.message;
    find('events').textContent += ` ${event}${field ? `:${field}` : ''}`;
  });
});
find('close').addEventListener('click', () => reveal?.destroy());

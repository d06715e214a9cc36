import { useLayoutEffect } from 'react';

/** After the dialog's own way back, and after the last frame of its closing. */
const LOOK_AFTER_MS = [30, 350];

/** What was in use before the dialogs that are open: one may follow another. */
let opener: Element | null = null;
let openDialogs = 0;

/** The keyboard goes on where it was before a dialog, or at the page's heading where that is gone: never at its very beginning. */
export function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    openDialogs++;
    opener = openerOf(document.activeElement) ?? opener;
    return () => {
      openDialogs--;
      for (const ms of LOOK_AFTER_MS) setTimeout(giveBack, ms);
    };
  }, [opened]);
}

/** An entry of a menu goes with its menu; the menu's button stays. */
function openerOf(active: Element | null): Element | null {
  if (!active || active === document.body || active.closest('[role="dialog"]')) return null;
  const menu = active.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
}

function giveBack(): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (openDialogs > 0 || !isLost) return;
  for (const place of [opener, document.querySelector('h1')]) {
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    if (place && document.activeElement === place) break;
  }
  opener = null;
}

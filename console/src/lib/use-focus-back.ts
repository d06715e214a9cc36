import { useLayoutEffect } from 'react';

/** After the dialog has moved the focus itself, and after the last frame of its closing. */
const LOOK_AFTER_MS = [30, 350];

/** The element that had the focus before the open dialogs; one dialog may follow another. */
let opener: Element | null = null;
let openDialogs = 0;

/**
 * Returns the focus to the element that had it before a dialog, or to the page's heading if that element was removed;
 * never to the start of the document.
 */
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

/** For an entry of a menu, which closes, the menu's button. */
function openerOf(active: Element | null): Element | null {
  if (!active || active === document.body || active.closest('[role="dialog"]')) return null;
  const menu = active.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
}

function giveBack(): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (openDialogs > 0 || !isLost) return;
  for (const element of [opener, document.querySelector('h1')]) {
    if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    if (element && document.activeElement === element) break;
  }
  opener = null;
}

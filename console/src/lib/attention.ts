const UNATTENDED_AFTER_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];

let seenAt = performance.now();
for (const sign of SIGNS)
  addEventListener(
    sign,
    () => {
      seenAt = performance.now();
    },
    { passive: true },
  );

/** Nobody is at the page: what it asks to keep itself up to date must not keep the session alive. */
export const isUnattended = (): boolean => performance.now() - seenAt > UNATTENDED_AFTER_MS;

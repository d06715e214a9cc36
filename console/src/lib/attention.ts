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

/** True after a time without input: then automatic refreshes must not extend the session. */
export const isUnattended = (): boolean => performance.now() - seenAt > UNATTENDED_AFTER_MS;

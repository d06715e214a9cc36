export type ZoneChoice = 'local' | 'utc';

const KEPT_AS = 'emboss.time-zone';

interface Keeper {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}
const keeper = (): Keeper | undefined => (globalThis as { localStorage?: Keeper }).localStorage;

const kept = (): ZoneChoice => {
  try {
    return keeper()?.getItem(KEPT_AS) === 'utc' ? 'utc' : 'local';
  } catch {
    // Without storage the choice lasts as long as the page.
    return 'local';
  }
};

let choice = kept();

export const zoneChoice = (): ZoneChoice => choice;

/** Kept in this browser. Times that are already shown change when they are rendered again. */
export function chooseZone(chosen: ZoneChoice): void {
  choice = chosen;
  try {
    keeper()?.setItem(KEPT_AS, chosen);
  } catch {
    // As above.
  }
}

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which moments are shown. */
export const shownZone = (): string => (choice === 'utc' ? 'UTC' : localZone());

/** The time zone in words. */
export const zoneWords = (): string => shownZone().replaceAll('_', ' ');

import { useEffect } from 'react';

/** Sets the title of the tab, which a screen reader announces when a page opens. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Emboss`;
  }, [title]);
}

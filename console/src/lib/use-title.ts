import { useEffect } from 'react';

/** What the browser's tab says, and what a screen reader says when a page opens. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Emboss`;
  }, [title]);
}

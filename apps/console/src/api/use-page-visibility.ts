import { useSyncExternalStore } from 'react';

/**
 * Whether the page is visible. A browser opens at most six connections to a server over HTTP/1.1, for all tabs together,
 * so hidden tabs do not occupy one with a live stream.
 */
export function usePageVisibility(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

function subscribe(callback: () => void): () => void {
  document.addEventListener('visibilitychange', callback);
  return () => document.removeEventListener('visibilitychange', callback);
}

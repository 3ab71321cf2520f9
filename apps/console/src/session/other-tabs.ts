/** All tabs of a browser share one session cookie. */
const channel = new BroadcastChannel('throughline-console-session');

/** Reports a sign-in or sign-out to the other tabs. */
export function reportSession(): void {
  channel.postMessage('changed');
}

/** Calls back after a sign-in or sign-out in another tab; returns a function that ends this. */
export function whenSessionChanges(callback: () => void): () => void {
  channel.addEventListener('message', callback);
  return () => channel.removeEventListener('message', callback);
}

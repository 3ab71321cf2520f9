const longestId = 128;

/** The id of a context that a file or a thread names; `instead` if nothing usable is left of the name. */
export function contextIdFrom(name: string, instead: string): string {
  const file = name.slice(name.lastIndexOf('/') + 1);
  const usable = file
    .slice(0, 4 * longestId)
    .replace(/\.(?:jsonl|ndjson|json|traj)$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, longestId);
  return /[A-Za-z0-9]/.test(usable) ? usable : instead;
}

import { contextId } from '#shared-context';

const longestId = 128;

/**
 * An id for the context with this name: characters that ids may not contain become `-`. `otherwise`: the id if nothing
 * usable is left.
 */
export function contextIdOf(name: string, otherwise: string): string {
  const beginning = name.slice(0, 4 * longestId);
  const id = beginning.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, longestId);
  return contextId.safeParse(id).success && /[A-Za-z0-9]/.test(id) ? id : otherwise;
}

/** As {@link contextIdOf}, for a file, without its folders and its extension. */
export function contextIdOfFile(path: string, otherwise: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1).slice(0, 4 * longestId);
  const stem = file.replace(/\.(?:jsonl|ndjson|json|traj)$/i, '');
  return contextIdOf(stem.replace(/^[^A-Za-z0-9_]+/, ''), otherwise);
}

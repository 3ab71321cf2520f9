import { contextId } from '#shared-context';

const unusable = /[^A-Za-z0-9._-]+/g;

/** An id for the context that a document names so; what ids may not contain becomes `-`. */
export function contextIdOf(name: string | undefined): string {
  const id = (name ?? '').slice(0, 128).replace(unusable, '-');
  return contextId.safeParse(id).success && /[A-Za-z0-9]/.test(id) ? id : 'context';
}

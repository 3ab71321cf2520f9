import { type ItemKind } from '#shared-context';

/** The suffix of a revision of an item that cannot be recorded again under its own id. */
const revision = /~(\d+)$/;

export function itemRef(kind: ItemKind, key: string): string {
  return `${kind}:${key}`;
}

/** Kind and key of an item; keys may contain colons. */
export function itemOfRef(ref: string): Readonly<{ kind: string; key: string }> {
  const at = ref.indexOf(':');
  return { kind: ref.slice(0, at), key: ref.slice(at + 1) };
}

/** The item that a ref is a revision of: `record:notes~2` is the second revision of `record:notes`. */
export function baseRef(ref: string): string {
  return ref.replace(revision, '');
}

export function revisionOf(ref: string): number {
  return Number(revision.exec(ref)?.[1] ?? 1);
}

export function withRevision(ref: string, number: number): string {
  return number === 1 ? baseRef(ref) : `${baseRef(ref)}~${number}`;
}

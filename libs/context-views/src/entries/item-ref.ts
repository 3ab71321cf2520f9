import { type ItemKey, type ItemKind, itemKinds } from '#shared-context';

/** The target of a ref: one item, everything from version `from` to `to`, or a child context. */
type ViewRef =
  | Readonly<{ item: ItemKey }>
  | Readonly<{ versions: Readonly<{ from: number; to: number }> }>
  | Readonly<{ context: string }>;

const rollup = /^rollup:(\d{1,10})-(\d{1,10})$/;
const child = /^context:([A-Za-z0-9._-]{1,128})$/;
const item = /^([a-z-]+):((?:[A-Za-z0-9._-]|~[0-9a-f]{4})*)$/;
const plain = /[^A-Za-z0-9._-]/g;

/**
 * `<kind>:<key>`, which is the same in a URL path, encoded or not: characters other than letters, digits, ".", "_" and
 * "-" are written as "~" and their UTF-16 code unit in four hexadecimal digits.
 */
export function refOf({ kind, key }: ItemKey): string {
  return `${kind}:${key.replaceAll(plain, escaped)}`;
}

export function childRef(contextId: string): string {
  return `context:${contextId}`;
}

export function rollupRef(from: number, to: number): string {
  return `rollup:${from}-${to}`;
}

/** Undefined if none of the functions above can have made the ref. */
export function parseRef(ref: string): ViewRef | undefined {
  const versions = rollup.exec(ref);
  if (versions) return versionsRef(Number(versions[1]), Number(versions[2]));
  const context = child.exec(ref)?.[1];
  return context === undefined ? parseItemRef(ref) : { context };
}

function versionsRef(from: number, to: number): ViewRef | undefined {
  return from >= 1 && from <= to ? { versions: { from, to } } : undefined;
}

function parseItemRef(ref: string): ViewRef | undefined {
  const [, kind, key] = item.exec(ref) ?? [];
  if (kind === undefined || key === undefined || !isKind(kind)) return undefined;
  const decoded = key.replaceAll(/~([0-9a-f]{4})/g, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
  return { item: { kind, key: decoded } };
}

function escaped(character: string): string {
  return `~${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function isKind(text: string): text is ItemKind {
  return itemKinds.some((kind) => kind === text);
}

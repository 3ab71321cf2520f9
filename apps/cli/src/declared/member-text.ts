import { printable, printableLine } from '../printable.js';

/** Returns the text of a value for a table cell; undefined for null. */
export function cellOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(isScalar)) return value.map(String).join(', ');
  return JSON.stringify(value);
}

/** Returns the member at a path such as `entry.note`. Several paths are separated by `|`; the first one with a value counts. */
export function memberAt(value: unknown, paths: string): unknown {
  for (const path of paths.split('|')) {
    const member = path.split('.').reduce(memberOf, value);
    if (member !== undefined && member !== null) return member;
  }
  return undefined;
}

/** Renders an object as lines of a name and a value. Nested objects are indented JSON. */
export function renderMembers(object: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(object).map(
    ([name, value]: [string, unknown]) => [printableLine(name), value] as const,
  );
  const width = members.reduce((widest, [name]) => Math.max(widest, name.length), 0);
  return members
    .map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`.replace(/ +\n/, '\n'))
    .join('\n');
}

/** Lines after the first are indented, so that none looks like a member. */
function textOf(value: unknown): string {
  const text = jsonText(value).replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
  return printable(text).replaceAll('\n', '\n  ') || '-';
}

/** Each entry of a list and each member of an object is on its own line. */
function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null || isScalars(value)) return cellOf(value) ?? '-';
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2);
  return ['', ...value.map((entry) => JSON.stringify(entry))].join('\n');
}

function isScalars(value: object): boolean {
  return Array.isArray(value) && value.every(isScalar);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

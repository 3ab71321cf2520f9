import { identifier } from '#shared-context';

import { slugOf } from '../text/slug.js';

/**
 * The parts of a file name: `prefix` and `digits` of its number, its date at the beginning, and the name without its
 * extension.
 */
export type AdrFileName = Readonly<{
  stem: string;
  prefix: string;
  digits: string;
  date?: string | undefined;
}>;

/** An id of a record has up to three such parts, and at most 256 characters. */
const longestSlug = 80;
const indexNames: ReadonlySet<string> = new Set(['readme', 'index', 'adr', 'decision', '_index']);
const day = /^(\d{4})-?(\d{2})-?(\d{2})(?=[-_. ]|$)/;
const number = /^(?:([A-Za-z]{1,10})[-_ ]?)?(\d{1,6})(?=[-_. ]|$)/;

/** Reads a name like `docs/adr/0007-use-postgres.md`; a file `README.md` has the name of its folder. */
export function readFileName(path: string): AdrFileName {
  const stem = stemOf(path);
  const [, year, month, date] = day.exec(stem) ?? [];
  const named = dayOf(Number(year), Number(month), Number(date));
  if (named !== undefined) return { stem, prefix: '', digits: '', date: named };
  const [, prefix = '', digits = ''] = number.exec(stem) ?? [];
  return { stem, prefix, digits };
}

/**
 * An id from the number of a file, from the number in a title like `# 7. Use PostgreSQL`, or from the words of the file
 * name.
 */
export function idOfName({ stem, prefix, digits, date }: AdrFileName, title: string): string {
  if (digits !== '') return `${(prefix || 'adr').toUpperCase()}-${digits}`;
  const numbered = date === undefined ? numberIn(title) : undefined;
  return numbered === undefined ? adrSlug(stem) || 'decision' : `ADR-${numbered}`;
}

function numberIn(title: string): string | undefined {
  const [, named, counted] = /^(?:ADR[-_ #]{0,3}(\d{1,6})\b|(\d{1,6})[.:] )/i.exec(title) ?? [];
  return named ?? counted;
}

function stemOf(path: string): string {
  const folders = path.split('/');
  const file = withoutEnding(folders.pop() ?? '');
  const folder = folders.pop() ?? '';
  return indexNames.has(file.toLowerCase()) && folder !== '' ? folder : file;
}

/** The words of a title or a file name; '' if there are none. */
export function adrSlug(text: string): string {
  return slugOf(text, '', longestSlug);
}

/** An id that a document states, if it can be used as one. */
export function statedId(text: string | undefined): string | undefined {
  if (text === undefined || Array.from(text).length > longestSlug) return undefined;
  const isUsable = /\p{L}/u.test(text) && !/["'\\{}[\]]|~\d+$|^\s|\s$/.test(text);
  return isUsable && identifier.safeParse(text).success ? text : undefined;
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The first date in a text, as YYYY-MM-DD; undefined if there is none, or an ambiguous one like 01/02/2024. */
export function dayIn(text: string): string | undefined {
  const short = text.slice(0, 200).toLowerCase();
  const [, year, month, date] =
    /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(short) ?? [];
  if (year !== undefined) return dayOf(Number(year), Number(month), Number(date));
  const named = /(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})\.?,?\s+(\d{4})/.exec(short);
  if (named) return dayOf(Number(named[3]), monthOf(named[2]), Number(named[1]));
  const american = /([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/.exec(short);
  return american
    ? dayOf(Number(american[3]), monthOf(american[1]), Number(american[2]))
    : undefined;
}

function monthOf(name = ''): number {
  return months.findIndex((month) => month.startsWith(name)) + 1;
}

function dayOf(year: number, month: number, date: number): string | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (days === undefined || date < 1 || date > days || year < 1) return undefined;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function withoutEnding(file: string): string {
  return file.replace(/\.(?:md|markdown|mdx|txt)$/i, '');
}

import { type AdrLink } from './adr-links.js';
import { UniqueNames } from '../text/unique-names.js';
import { idOfName, readFileName, adrSlug } from './adr-names.js';
import { type AdrRecord } from './adr-record.js';

/** A record with the id of its decision. */
export type IdentifiedRecord = AdrRecord & Readonly<{ id: string }>;

/** Gives the records of one import unique ids. If a number is used already, the id also contains the file name. */
export function identifyRecords(records: readonly AdrRecord[]): IdentifiedRecord[] {
  const names = new UniqueNames();
  return records.map((record) => {
    const id = record.id ?? idOfName(record.file, record.title);
    if (!names.has(id)) return { ...record, id: names.take(id) };
    const slug = adrSlug(record.file.stem);
    return { ...record, id: names.take(slug === '' ? id : `${id}-${slug}`) };
  });
}

/** Finds the record that a link refers to: by its file, by its id, or by its number. */
export class RecordIndex {
  readonly #byFile = new Map<string, string>();
  readonly #byId = new Map<string, string>();
  readonly #byNumber = new Map<string, string | undefined>();

  constructor(records: readonly IdentifiedRecord[]) {
    for (const { id, file } of records) {
      this.#add(this.#byFile, file.stem.toLowerCase(), id);
      this.#add(this.#byId, id.toLowerCase(), id);
      if (file.digits !== '') this.#addNumber(file.digits, id);
    }
  }

  /** The id of the decision; undefined if the import has no such record, or several. */
  find({ label, target }: AdrLink): string | undefined {
    const stem = target === '' ? '' : stemOf(target);
    const byFile = this.#byFile.get(stem) ?? this.#byId.get(stem);
    if (byFile !== undefined || isForeign(target)) return byFile;
    const name = label.toLowerCase();
    return this.#byId.get(name) ?? this.#byFile.get(stemOf(name)) ?? this.#findNumber(label);
  }

  #findNumber(label: string): string | undefined {
    const digits = /^(?:ADR)?[-_ ]?#?(\d{1,6})(?!\d|-\d)/i.exec(label.trim())?.[1];
    return digits === undefined ? undefined : this.#byNumber.get(withoutZeros(digits));
  }

  #add(map: Map<string, string>, key: string, id: string): void {
    if (!map.has(key)) map.set(key, id);
  }

  /** A number of several records refers to none of them. */
  #addNumber(digits: string, id: string): void {
    const number = withoutZeros(digits);
    this.#byNumber.set(number, this.#byNumber.has(number) ? undefined : id);
  }
}

/** Whether the target is not a file: issues and other pages have numbers too. */
function isForeign(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('#');
}

function stemOf(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  return readFileName(decoded(path).replace(/\/$/, '')).stem.toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

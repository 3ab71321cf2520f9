import { type ContextDocument } from '../documents/context-document.js';
import { type WrittenSource } from '../documents/document-format.js';
import { UniqueNames } from '../text/unique-names.js';
import { type AdrFileName, adrSlug, readFileName } from './adr-names.js';
import { titleOf } from './adr-title.js';
import { type Decision, decisionOf } from './written-decision.js';

const width = 4;

/**
 * The files of decisions: the file of the decision's record, or a new file with the next number, in the folder of the
 * last record.
 */
export class AdrFiles {
  readonly #paths = new Map<string, string>();

  constructor(
    document: ContextDocument,
    sources: readonly WrittenSource[],
    added: readonly Decision[],
  ) {
    const records = sources.filter((source) => decisionOf(source) !== '');
    for (const source of records) this.#paths.set(decisionOf(source), source.name);
    const naming = new FileNaming(
      records.map(({ name }) => name),
      added,
    );
    for (const decision of added)
      this.#paths.set(decision.decisionId, naming.name(decision, titleOf(decision, document)));
  }

  pathOf(decisionId: string): string {
    return this.#paths.get(decisionId) ?? '';
  }

  /** A link from one file to the record of a decision; its plain id if no file has it. */
  link(from: string, decisionId: string): string {
    const path = this.pathOf(decisionId);
    const label = decisionId.replace(/[[\]\\]/g, ' ').replace(/~\d+$/, '');
    return path === '' ? label : `[${label}](${relativePath(from, path)})`;
  }
}

/** Names of new files in the style of the existing records. */
class FileNaming {
  readonly #folder: string;
  readonly #style: AdrFileName | undefined;
  readonly #isDated: boolean;
  readonly #names = new UniqueNames();
  readonly #numbers: ReadonlySet<number>;
  #last: number;

  constructor(records: readonly string[], added: readonly Decision[]) {
    const files = records.map(readFileName);
    const last = records.at(-1)?.split('/').slice(0, -1) ?? [];
    this.#folder = [...last, ''].join('/');
    this.#style = files.findLast(({ digits }) => digits !== '');
    this.#isDated = records.length > 0 && this.#style === undefined;
    for (const name of records) this.#names.take(name);
    const numbers = files.map(({ digits }) => Number(digits));
    this.#last = numbers.reduce((most, each) => Math.max(most, each), 0);
    this.#numbers = new Set(added.flatMap(({ decisionId }) => numberOf(decisionId) ?? []));
  }

  name(decision: Decision, title: string): string {
    const start = this.#isDated ? dayOf(decision) : this.#number(decision);
    const name = [start, adrSlug(title)].filter((each) => each !== '').join('-') || 'decision';
    return `${this.#names.take(`${this.#folder}${name}`)}.md`;
  }

  /** The number in the id of the decision, or the next free one. */
  #number({ decisionId }: Decision): string {
    const own = this.#style === undefined ? numberOf(decisionId) : undefined;
    if (own !== undefined) return decisionId.slice('ADR-'.length);
    do this.#last++;
    while (this.#numbers.has(this.#last));
    const digits = String(this.#last).padStart(this.#style?.digits.length ?? width, '0');
    return `${this.#prefix()}${digits}`;
  }

  #prefix(): string {
    if (!this.#style) return '';
    return this.#style.stem.slice(0, this.#style.stem.indexOf(this.#style.digits));
  }
}

function numberOf(decisionId: string): number | undefined {
  const digits = /^ADR-(\d{1,6})$/.exec(decisionId)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function dayOf({ date, timestamp }: Decision): string {
  return date ?? timestamp?.slice(0, 10) ?? '';
}

function relativePath(from: string, to: string): string {
  const [start, target] = [from.split('/').slice(0, -1), to.split('/')];
  let same = 0;
  while (same < start.length && same < target.length - 1 && start[same] === target[same]) same++;
  const up = start.slice(same).map(() => '..');
  return [...up, ...target.slice(same)].map(encoded).join('/');
}

function encoded(segment: string): string {
  return segment
    .toWellFormed()
    .replace(/[\s()<>%"]/g, (character) => encodeURIComponent(character))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}

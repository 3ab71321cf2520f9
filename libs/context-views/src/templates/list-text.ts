import { type FoundValue } from './data.js';
import { quotationForm } from './fence.js';
import { type Part } from './template.js';
import { textWithin } from './value-text.js';

const lettersOrDigits = /[\p{L}\p{N}]/u;

/** The text of a loop that lists entries or their names, with only separators between them. */
export class ListText {
  readonly #pieces: string[] = [];
  #length = 0;
  #holdsText = false;

  /** `room`: the maximum number of characters of the text. */
  constructor(private readonly room: number) {}

  get text(): string {
    return this.#pieces.join('');
  }

  /** Whether it contains anything but numbers, booleans and empty values. */
  get holdsText(): boolean {
    return this.#holdsText;
  }

  /** Returns false if there is no room. */
  addSeparator(text: string): boolean {
    this.#pieces.push(text);
    this.#length += text.length;
    return this.#length <= this.room;
  }

  /** Returns false if there is no room. */
  addValue({ value, isOwn }: FoundValue): boolean {
    if (value === undefined || value === null) return true;
    const text = textWithin(value, this.room - this.#length);
    if (text === undefined) return false;
    if (!isOwn && quotationForm(value, text) !== 'inline') this.#holdsText = true;
    return this.addSeparator(text);
  }
}

/** Whether a loop only lists: `{{this}}` or `{{@key}}`, without letters or digits of the template between them. */
export function isListBody(parts: readonly Part[]): boolean {
  let hasValues = false;
  for (const part of parts) {
    if (part.kind === 'value' && isEntry(part.operand)) hasValues = true;
    else if (part.kind !== 'text' || lettersOrDigits.test(part.text)) return false;
  }
  return hasValues;
}

function isEntry({ up, of, names }: Extract<Part, { kind: 'value' }>['operand']): boolean {
  return up === 0 && of !== 'index' && names.length === 0;
}

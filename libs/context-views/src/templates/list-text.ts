import { type FoundValue } from './data.js';
import { quotationForm } from './fence.js';
import { type Part } from './template.js';
import { textWithin } from './value-text.js';

const lettersOrDigits = /[\p{L}\p{N}]/u;

/** The text of a loop that lists entries or their names: between them stands nothing but separators. */
export class ListText {
  readonly #pieces: string[] = [];
  #length = 0;
  #holdsText = false;

  /** `room`: the most characters that the text may have. */
  constructor(private readonly room: number) {}

  get text(): string {
    return this.#pieces.join('');
  }

  /** Whether it holds anything but numbers, booleans and what is empty. */
  get holdsText(): boolean {
    return this.#holdsText;
  }

  /** False if there is no room. */
  addSeparator(text: string): boolean {
    this.#pieces.push(text);
    this.#length += text.length;
    return this.#length <= this.room;
  }

  /** False if there is no room. */
  addValue({ value, isOwn }: FoundValue): boolean {
    if (value === undefined || value === null) return true;
    const text = textWithin(value, this.room - this.#length);
    if (text === undefined) return false;
    if (!isOwn && quotationForm(value, text) !== 'inline') this.#holdsText = true;
    return this.addSeparator(text);
  }
}

/** Whether a loop only lists: `{{this}}` or `{{@key}}`, and between them no letters or digits of the template. */
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

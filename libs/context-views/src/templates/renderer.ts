import { dataPathIn, longestDataPath } from '#event-sourcing';

import { type FoundValue, type TemplateData, findNames, wholeOf } from './data.js';
import { type Quotation, fencedWithin, longestRun, quotationForm } from './fence.js';
import { templateLimits } from './limits.js';
import { ListText, isListBody } from './list-text.js';
import { Members } from './members.js';
import { Output } from './output.js';
import { type Scope, find, roundsOf, stepsTo } from './scope.js';
import { TemplateError } from './template.error.js';
import { type Part, type Template } from './template.js';
import { textWithin } from './value-text.js';

/**
 * Renders a template. Values are inserted once, as data: a tag in a value is text. Values of others are in fences,
 * single words in code spans, numbers and booleans in the line; a missing value renders as nothing.
 *
 * Steps are counted and lengths are checked in advance, so that the work is bounded for any data. Throws {@link
 * TemplateError} if a limit is reached, and no other error.
 */
export function renderTemplate(template: Template, data: TemplateData): string {
  return renderWithMissing(template, data).text;
}

/**
 * `missing`: paths that rendered as nothing because they have no value, each once, at most {@link
 * templateLimits.missing} of them. The condition of a block, and a list with an `else`, are not reported as missing.
 */
export type RenderResult = Readonly<{ text: string; missing: readonly string[] }>;

/** As {@link renderTemplate}. */
export function renderWithMissing(template: Template, data: TemplateData): RenderResult {
  const rendering = new Rendering(template);
  rendering.render(template.parts, { found: wholeOf(data), outer: undefined });
  return { text: rendering.text, missing: rendering.missing };
}

const tooManySteps = `rendering takes more than ${templateLimits.steps} steps: use shorter lists, or fewer paths in loops`;
const tooLong = `the text would have more than ${templateLimits.outputLength} characters: name parts of large values instead of whole values`;

type PartOf<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;

class Rendering {
  readonly #output = new Output();
  readonly #members = new Members();
  /** The longest run of backticks in the template. */
  readonly #ticks: number;
  readonly #missing = new Set<string>();
  #steps = 0;

  constructor(private readonly template: Template) {
    this.#ticks = longestRun(template.source);
  }

  get text(): string {
    return this.#output.toString();
  }

  get missing(): readonly string[] {
    return [...this.#missing];
  }

  render(parts: readonly Part[], scope: Scope): void {
    for (const part of parts) this.#renderPart(part, scope);
  }

  #renderPart(part: Part, scope: Scope): void {
    this.#spend(part, part.kind === 'text' ? 1 : 1 + stepsTo(part.operand));
    switch (part.kind) {
      case 'text':
        return this.#writeText(part);
      case 'value':
        return this.#write(part, find(scope, part.operand));
      case 'lookup':
        return this.#write(part, this.#lookUp(part, scope));
      case 'if':
        return this.#members.isFalsy(find(scope, part.operand).value)
          ? this.render(part.otherwise, scope)
          : this.render(part.parts, scope);
      case 'each':
        return this.#renderEach(part, scope);
    }
  }

  #renderEach(part: PartOf<'if' | 'each'>, outer: Scope): void {
    const list = find(outer, part.operand);
    const { value } = list;
    if (typeof value !== 'object' || value === null || this.#members.isFalsy(value))
      return this.#renderNoEntry(part, list, outer);
    // Loops use the value itself, without members that were added to it.
    const of: FoundValue = { ...list, members: undefined };
    this.#spend(part, this.#members.count(value));
    const rounds = roundsOf(of, this.#members.keys(value), outer);
    if (!list.isOwn && isListBody(part.parts)) return this.#writeList(part, list, rounds);
    for (const round of rounds) this.render(part.parts, round);
  }

  #renderNoEntry({ otherwise }: PartOf<'if' | 'each'>, list: FoundValue, outer: Scope): void {
    if (list.value === undefined && otherwise.length === 0) this.#noteMissing(list);
    this.render(otherwise, outer);
  }

  /** Adjacent single words could form a sentence, so a list of them is one quotation. */
  #writeList(part: PartOf<'if' | 'each'>, { path }: FoundValue, rounds: Iterable<Scope>): void {
    const list = new ListText(this.#room);
    for (const round of rounds)
      for (const inner of part.parts)
        if (!this.#addTo(list, inner, round)) throw this.#tooLong(part);
    const { text, holdsText } = list;
    if (holdsText) this.#writeFence(part, { text, kind: 'text', label: path.label });
    else this.#output.write(text);
    this.#checkLength(part);
  }

  #addTo(list: ListText, part: Part, round: Scope): boolean {
    this.#spend(part, 1);
    if (part.kind === 'text') return list.addSeparator(part.text);
    return part.kind !== 'value' || list.addValue(find(round, part.operand));
  }

  /** The value under the key; if there is none, the key is read as a path. */
  #lookUp(part: PartOf<'lookup'>, scope: Scope): FoundValue {
    this.#spend(part, stepsTo(part.key));
    const key = find(scope, part.key);
    if (typeof key.value !== 'string' && typeof key.value !== 'number')
      return { ...key, value: undefined };
    const where = find(scope, part.operand);
    const found = findNames(where, [key.value]);
    if (found.value !== undefined) return found;
    const source = String(key.value);
    this.#spend(part, Math.min(source.length, longestDataPath));
    const names = dataPathIn(source);
    return names ? findNames(where, names) : found;
  }

  #writeText(part: PartOf<'text'>): void {
    if (part.text.length > this.#room) throw this.#tooLong(part);
    this.#output.write(part.text);
    this.#checkLength(part);
  }

  #noteMissing({ path: { label } }: FoundValue): void {
    if (label !== '' && this.#missing.size < templateLimits.missing) this.#missing.add(label);
  }

  #write(part: Part, found: FoundValue): void {
    const { value, isOwn, path } = found;
    if (value === undefined) return this.#noteMissing(found);
    if (value === null) return;
    const text = textWithin(value, this.#room);
    if (text === undefined) throw this.#tooLong(part);
    const form = isOwn ? 'inline' : quotationForm(value, text);
    const kind = typeof value === 'string' ? 'text' : 'json';
    if (form === 'block') this.#writeFence(part, { text, kind, label: path.label });
    else this.#output.write(form === 'span' ? `\`${text}\`` : text);
    this.#checkLength(part);
  }

  #writeFence(part: Part, quotation: Quotation): void {
    const fenced = fencedWithin(quotation, this.#ticks, this.#room);
    if (fenced === undefined) throw this.#tooLong(part);
    this.#output.writeFence(fenced);
  }

  get #room(): number {
    return templateLimits.outputLength - this.#output.length;
  }

  /** The line ends around a fence are not part of the checked length. */
  #checkLength(part: Part): void {
    if (this.#room < 0) throw this.#tooLong(part);
  }

  #spend({ at }: Part, steps: number): void {
    this.#steps += steps;
    if (this.#steps > templateLimits.steps) throw this.#refused(at, tooManySteps);
  }

  #tooLong({ at }: Part): TemplateError {
    return this.#refused(at, tooLong);
  }

  #refused(at: number, reason: string): TemplateError {
    return new TemplateError(reason, this.template.source, at);
  }
}

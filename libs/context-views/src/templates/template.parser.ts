import { templateLimits } from './limits.js';
import { type Piece, scanTemplate } from './scanner.js';
import { type BlockName, type ParsedTag, readTag } from './tag.parser.js';
import { TemplateError } from './template.error.js';
import { type Operand, type Part, type Template } from './template.js';

/**
 * Parses a template, in time proportional to its length:
 *
 *     {{path}}  {{lookup path key}}  {{#if path}}...{{else}}...{{/if}}  {{#each path}}...{{/each}}  {{! comment }}
 *
 * Throws {@link TemplateError} with the line and column of the first mistake.
 */
export function parseTemplate(source: string): Template {
  const reader = new TemplateReader(source);
  for (const piece of scanTemplate(source)) reader.take(piece);
  return { source, ...reader.end() };
}

type OpenBlock = {
  readonly at: number;
  readonly block: BlockName;
  readonly operand: Operand;
  readonly parts: Part[];
  otherwise: Part[] | undefined;
};

class TemplateReader {
  readonly #parts: Part[] = [];
  readonly #open: OpenBlock[] = [];
  readonly #named: (readonly string[])[] = [];
  /** The number of open scopes, without the outermost. */
  #depth = 0;

  constructor(private readonly source: string) {}

  take(piece: Piece): void {
    const { at } = piece;
    if (piece.kind === 'text') return this.#add({ at, kind: 'text', text: piece.text });
    this.#takeTag(at, readTag({ source: this.source, ...piece }, this.#depth));
  }

  end(): Pick<Template, 'parts' | 'named'> {
    const open = this.#open.at(-1);
    if (open)
      throw this.#refused(
        open.at,
        `{{#${open.block}}} is not closed: {{/${open.block}}} is missing`,
      );
    return { parts: this.#parts, named: this.#named };
  }

  #takeTag(at: number, tag: ParsedTag): void {
    switch (tag.kind) {
      case 'value':
      case 'lookup':
        this.#name(tag.operand);
        if (tag.kind === 'lookup') this.#name(tag.key);
        return this.#add({ at, ...tag });
      case 'open':
        return this.#begin(at, tag.block, tag.operand);
      case 'else':
        return this.#beginElse(at);
      case 'close':
        return this.#close(at, tag.block);
    }
  }

  #add(part: Part): void {
    const open = this.#open.at(-1);
    (open ? (open.otherwise ?? open.parts) : this.#parts).push(part);
  }

  #begin(at: number, block: BlockName, operand: Operand): void {
    this.#name(operand);
    if (this.#open.length === templateLimits.nesting)
      throw this.#refused(at, `blocks are nested more than ${templateLimits.nesting} deep`);
    this.#open.push({ at, block, operand, parts: [], otherwise: undefined });
    if (block === 'each') this.#depth += 1;
  }

  #beginElse(at: number): void {
    const open = this.#open.at(-1);
    if (!open || open.otherwise) throw this.#refused(at, '{{else}} belongs to no open block');
    open.otherwise = [];
    // The else branch of a loop has no scope of an entry.
    if (open.block === 'each') this.#depth -= 1;
  }

  #close(at: number, block: string): void {
    const open = this.#open.pop();
    if (open?.block !== block) throw this.#refused(at, closesOther(block, open));
    if (block === 'each' && !open.otherwise) this.#depth -= 1;
    const { operand, parts, otherwise = [] } = open;
    this.#add({ at: open.at, kind: open.block, operand, parts, otherwise });
  }

  #name({ up, of, names }: Operand): void {
    if (of === 'this' && up === this.#depth) this.#named.push(names);
  }

  #refused(at: number, reason: string): TemplateError {
    return new TemplateError(reason, this.source, at);
  }
}

function closesOther(block: string, open: OpenBlock | undefined): string {
  const closing = `{{/${block}}} closes nothing`;
  return open ? `${closing}: {{/${open.block}}} is missing before it` : closing;
}

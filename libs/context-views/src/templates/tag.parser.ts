import { type TagText, readOperand, skipSpace } from './operand.parser.js';
import { TemplateError } from './template.error.js';
import { type Operand } from './template.js';

const blockNames = ['if', 'each'] as const;
export type BlockName = (typeof blockNames)[number];

/** The content of a tag. */
export type ParsedTag =
  | Readonly<{ kind: 'value'; operand: Operand }>
  | Readonly<{ kind: 'lookup'; operand: Operand; key: Operand }>
  | Readonly<{ kind: 'open'; block: BlockName; operand: Operand }>
  | Readonly<{ kind: 'else' }>
  | Readonly<{ kind: 'close'; block: string }>;

const helper = 'lookup';
const lastWord = /^\s*\/\s*(\S*)\s*$/;

/** `depth`: the number of scopes around the tag, without the outermost. */
export function readTag(tag: TagText, depth: number): ParsedTag {
  const at = skipSpace(tag, 0);
  if (tag.body[at] === '#') return readBlock(tag, at + 1, depth);
  if (tag.body[at] === '/') return { kind: 'close', block: lastWord.exec(tag.body)?.[1] ?? '' };
  const word = wordAt(tag, at);
  if (word === 'else') return readElse(tag, at);
  return word === helper && hasMore(tag, at + helper.length)
    ? readLookup(tag, at, depth)
    : readValue(tag, at, depth);
}

function readValue(tag: TagText, at: number, depth: number): ParsedTag {
  const { operand, end } = readOperand(tag, at, depth);
  if (hasMore(tag, end))
    throw templateError(tag, at, `unknown helper "${wordAt(tag, at)}": use ${helper}`);
  return { kind: 'value', operand: checkedPath(tag, operand, depth) };
}

function readBlock(tag: TagText, from: number, depth: number): ParsedTag {
  const at = skipSpace(tag, from);
  const word = wordAt(tag, at);
  const block = blockNames.find((name) => name === word);
  if (!block)
    throw templateError(tag, at, `unknown block "${word}": use ${blockNames.join(' or ')}`);
  const { operand, end } = readOperand(tag, skipSpace(tag, at + word.length), depth);
  checkEnd(tag, end, `{{#${block}}} takes one path`);
  return { kind: 'open', block, operand: checkedPath(tag, operand, depth) };
}

function readElse(tag: TagText, at: number): ParsedTag {
  checkEnd(tag, at + 'else'.length, '{{else}} takes no condition: put another {{#if}} within it');
  return { kind: 'else' };
}

/** In a loop, a second operand is optional: the key is the current entry of the loop. */
function readLookup(tag: TagText, from: number, depth: number): ParsedTag {
  const whole = readOperand(tag, skipSpace(tag, from + helper.length), depth);
  const { operand } = whole;
  if (!hasMore(tag, whole.end) && depth > 0)
    return { kind: helper, operand, key: { up: 0, of: 'this', names: [] } };
  const twoPaths = `{{${helper}}} takes two paths: an object or list, and a key`;
  if (!hasMore(tag, whole.end)) throw templateError(tag, from, twoPaths);
  const key = readOperand(tag, skipSpace(tag, whole.end), depth);
  checkEnd(tag, key.end, twoPaths);
  return { kind: helper, operand, key: key.operand };
}

/** Refuses an operand that names all data at once. */
function checkedPath(tag: TagText, operand: Operand, depth: number): Operand {
  if (operand.of === 'this' && operand.names.length === 0 && operand.up === depth)
    throw templateError(
      tag,
      skipSpace(tag, 0),
      'expected a path: outside of loops, "this" is all data',
    );
  return operand;
}

function wordAt({ body }: TagText, at: number): string {
  return /^\S*/.exec(body.slice(at))?.[0] ?? '';
}

function hasMore(tag: TagText, at: number): boolean {
  return skipSpace(tag, at) < tag.body.length;
}

function checkEnd(tag: TagText, at: number, otherwise: string): void {
  if (hasMore(tag, at)) throw templateError(tag, skipSpace(tag, at), otherwise);
}

function templateError({ source, bodyAt }: TagText, at: number, reason: string): TemplateError {
  return new TemplateError(reason, source, bodyAt + at);
}

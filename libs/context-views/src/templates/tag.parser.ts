import { type TagText, readOperand, skipSpace } from './operand.parser.js';
import { TemplateError } from './template.error.js';
import { type Operand } from './template.js';

const blockNames = ['if', 'each'] as const;
export type BlockName = (typeof blockNames)[number];

/** What a tag says. */
export type Saying =
  | Readonly<{ kind: 'value'; operand: Operand }>
  | Readonly<{ kind: 'lookup'; operand: Operand; key: Operand }>
  | Readonly<{ kind: 'open'; block: BlockName; operand: Operand }>
  | Readonly<{ kind: 'else' }>
  | Readonly<{ kind: 'close'; block: string }>;

const helper = 'lookup';
const lastWord = /^\s*\/\s*(\S*)\s*$/;

/** `depth`: how many scopes there are around the tag beside the outermost. */
export function readTag(tag: TagText, depth: number): Saying {
  const at = skipSpace(tag, 0);
  if (tag.body[at] === '#') return readBlock(tag, at + 1, depth);
  if (tag.body[at] === '/') return { kind: 'close', block: lastWord.exec(tag.body)?.[1] ?? '' };
  const word = wordAt(tag, at);
  if (word === 'else') return readElse(tag, at);
  return word === helper && hasMore(tag, at + helper.length)
    ? readLookup(tag, at, depth)
    : readValue(tag, at, depth);
}

function readValue(tag: TagText, at: number, depth: number): Saying {
  const { operand, end } = readOperand(tag, at, depth);
  if (hasMore(tag, end))
    throw refused(tag, at, `there is no helper "${wordAt(tag, at)}"; there is ${helper}`);
  return { kind: 'value', operand: somethingOf(tag, operand, depth) };
}

function readBlock(tag: TagText, from: number, depth: number): Saying {
  const at = skipSpace(tag, from);
  const word = wordAt(tag, at);
  const block = blockNames.find((name) => name === word);
  if (!block)
    throw refused(tag, at, `there is no block "${word}"; there are ${blockNames.join(' and ')}`);
  const { operand, end } = readOperand(tag, skipSpace(tag, at + word.length), depth);
  endsAt(tag, end, `{{#${block}}} takes one path`);
  return { kind: 'open', block, operand: somethingOf(tag, operand, depth) };
}

function readElse(tag: TagText, at: number): Saying {
  endsAt(tag, at + 'else'.length, '{{else}} stands alone: put another {{#if}} within it');
  return { kind: 'else' };
}

/** With one operand in a loop, what it is looked up under is what the loop is at. */
function readLookup(tag: TagText, from: number, depth: number): Saying {
  const whole = readOperand(tag, skipSpace(tag, from + helper.length), depth);
  const { operand } = whole;
  if (!hasMore(tag, whole.end) && depth > 0)
    return { kind: helper, operand, key: { up: 0, of: 'this', names: [] } };
  const twoPaths = `{{${helper}}} takes two paths: where to look, and under which name`;
  if (!hasMore(tag, whole.end)) throw refused(tag, from, twoPaths);
  const key = readOperand(tag, skipSpace(tag, whole.end), depth);
  endsAt(tag, key.end, twoPaths);
  return { kind: helper, operand, key: key.operand };
}

/** Everything there is, is nothing to put into a text. */
function somethingOf(tag: TagText, operand: Operand, depth: number): Operand {
  if (operand.of === 'this' && operand.names.length === 0 && operand.up === depth)
    throw refused(tag, skipSpace(tag, 0), 'a path is expected: out here, "this" is everything');
  return operand;
}

function wordAt({ body }: TagText, at: number): string {
  return /^\S*/.exec(body.slice(at))?.[0] ?? '';
}

function hasMore(tag: TagText, at: number): boolean {
  return skipSpace(tag, at) < tag.body.length;
}

function endsAt(tag: TagText, at: number, otherwise: string): void {
  if (hasMore(tag, at)) throw refused(tag, skipSpace(tag, at), otherwise);
}

function refused({ source, bodyAt }: TagText, at: number, reason: string): TemplateError {
  return new TemplateError(reason, source, bodyAt + at);
}

import { type Node, type ParseError, createScanner, parseTree } from 'jsonc-parser';

import { isExactNumber } from '#event-sourcing';

import { workflowLimits } from '../definition/limits.js';
import { wordingOf } from './syntax-wording.js';

type TextFaultCode =
  | 'invalid-json'
  | 'duplicate-member'
  | 'inexact-number'
  | 'too-large'
  | 'too-deep';

/** A syntax error in a text; `offset` counts UTF-16 units. */
export type TextFault = Readonly<{ code: TextFaultCode; detail: string; offset: number }>;

/** `tree` is undefined if the text cannot be read; `faults` then has at least one entry. */
type ReadTree = Readonly<{ tree: Node | undefined; faults: readonly TextFault[] }>;

const levels: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** Reads JSON with comments and trailing commas. */
export function readTree(text: string): ReadTree {
  const sizeFault = findSizeFault(text);
  if (sizeFault) return { tree: undefined, faults: [sizeFault] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (!tree || errors.length > 0) return { tree: undefined, faults: syntaxFaults(text, errors) };
  const faults = [...findTreeFaults(text, tree)];
  return { tree: faults.length > 0 ? undefined : tree, faults };
}

function findSizeFault(text: string): TextFault | undefined {
  const { definitionLength, depth } = workflowLimits;
  if (text.length > definitionLength)
    return { code: 'too-large', detail: `longer than ${definitionLength} characters`, offset: 0 };
  const offset = findTooDeep(text, depth);
  if (offset === undefined) return undefined;
  return { code: 'too-deep', detail: `nested deeper than ${depth} levels`, offset };
}

/**
 * The offset at which lists and objects are nested too deep. Checked before parsing, since the parser recurses at each
 * level.
 */
function findTooDeep(text: string, maxDepth: number): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    depth += levels[text[offset] ?? ''] ?? 0;
    if (depth > maxDepth) return offset;
  }
  return undefined;
}

/** One fault per line: further errors on a line are usually consequences of the first. */
function syntaxFaults(text: string, errors: readonly ParseError[]): readonly TextFault[] {
  const faults: TextFault[] = [];
  for (const { error, offset } of errors) {
    const before = faults.at(-1)?.offset;
    if (before !== undefined && !/[\r\n]/.test(text.slice(before, offset))) continue;
    faults.push({ code: 'invalid-json', detail: wordingOf(error), offset });
  }
  return faults;
}

/** Duplicate members, and numbers that a double cannot represent exactly. */
function* findTreeFaults(text: string, node: Node): Generator<TextFault> {
  const { type, offset, length, children = [] } = node;
  if (type === 'object') yield* findDuplicates(children);
  if (type === 'number' && !isExactNumber(text.slice(offset, offset + length)))
    yield {
      code: 'inexact-number',
      offset,
      detail: `no double holds this number exactly: write ${String(node.value)}, or at most 15 digits`,
    };
  for (const child of children) yield* findTreeFaults(text, child);
}

function* findDuplicates(properties: readonly Node[]): Generator<TextFault> {
  const names = new Set<unknown>();
  for (const { children: [name] = [] } of properties) {
    if (!name) continue;
    if (names.has(name.value))
      yield {
        code: 'duplicate-member',
        offset: name.offset,
        detail: `the member "${String(name.value)}" occurs twice: remove one of them`,
      };
    names.add(name.value);
  }
}

import { TemplateError } from './template.error.js';
import { type Operand } from './template.js';

/** The text between the braces of a tag, and where it begins in the source of its template. */
export type TagText = Readonly<{ source: string; body: string; bodyAt: number }>;

const outwards = /\.\.(?:\/|(?=\s|$))/y;
const special = /@(key|index)(?=\s|$)/y;
const self = /this(?=[.[\s]|$)/y;
const firstName = /([^.[\]"'{}()\s#/!&>^~@*|=][^.[\]"{}\s]*)/y;
const laterName = /\.([^.[\]"{}\s]+)/y;
const inBrackets = /\.?\[(0|[1-9]\d{0,8}|"(?:[^"\\]|\\.)*")\]/y;

/**
 * Reads an operand of a tag: `a.b`, `a[0]`, `a["b c"]`, `this`, `this.a`, `../a`, `..`, `@key`, `@index`. `depth`: the
 * number of scopes around it, without the outermost.
 */
export function readOperand(
  tag: TagText,
  from: number,
  depth: number,
): Readonly<{ operand: Operand; end: number }> {
  const { up, at } = readOutwards(tag, from);
  if (up > depth) throw templateError(tag, from, '../ leads out of the outermost scope');
  const [found, of] = match(special, tag, at) ?? [];
  if (found !== undefined) {
    if (up === depth) throw templateError(tag, at, `@${of} exists only within {{#each}}`);
    // The expression matches these two names only.
    return { operand: { up, of: of as 'key' | 'index', names: [] }, end: at + found.length };
  }
  const { names, end } = readNames(tag, at, up > 0 && isAtEnd(tag, at));
  if (!isAtEnd(tag, end)) throw templateError(tag, end, 'expected a dot, [0], ["..."] or a space');
  return { operand: { up, of: 'this', names }, end };
}

/** The index of the next character of a tag that is not space. */
export function skipSpace({ body }: TagText, from: number): number {
  let at = from;
  while (at < body.length && isAtEnd({ body }, at)) at += 1;
  return at;
}

function readOutwards(tag: TagText, from: number): Readonly<{ up: number; at: number }> {
  let at = from;
  let up = 0;
  for (let found = match(outwards, tag, at); found; found = match(outwards, tag, at)) {
    at += found[0].length;
    up += 1;
  }
  return { up, at };
}

/** `isWhole`: the operand is the scope itself, without names. */
function readNames(tag: TagText, from: number, isWhole: boolean) {
  const own = lengthOfSelf(tag, from);
  const first = isWhole || own > 0 ? undefined : firstOf(tag, from);
  const names = first ? [nameIn(tag, from, first)] : [];
  let end = from + (first?.[0].length ?? own);
  for (let later = laterOf(tag, end); later; later = laterOf(tag, end)) {
    names.push(nameIn(tag, end, later));
    end += later[0].length;
  }
  return { names, end };
}

function lengthOfSelf(tag: TagText, at: number): number {
  return match(self, tag, at)?.[0].length ?? 0;
}

function laterOf(tag: TagText, at: number): RegExpExecArray | undefined {
  return match(laterName, tag, at) ?? match(inBrackets, tag, at);
}

function firstOf(tag: TagText, at: number): RegExpExecArray {
  const found = match(firstName, tag, at) ?? match(inBrackets, tag, at);
  if (!found) throw templateError(tag, at, noPath(tag, at));
  return found;
}

/** What to write instead of the signs of other template languages. */
const otherSigns: Readonly<Record<string, string>> = {
  '{': 'write two braces: nothing is escaped, so there is no {{{...}}}',
  '&': 'remove "&": nothing is escaped',
  '>': 'there are no partials: write the text itself',
  '@': 'write @key or @index: a loop has no other names',
};

function noPath({ body }: TagText, at: number): string {
  const instead = otherSigns[body[at] ?? ''];
  return instead ?? 'expected a path, such as input.title';
}

function nameIn(tag: TagText, at: number, [, name = '']: RegExpExecArray): string {
  if (!name.startsWith('"')) return name;
  try {
    return String(JSON.parse(name));
  } catch {
    throw templateError(tag, at, 'expected a number or a JSON string in the brackets');
  }
}

function isAtEnd({ body }: Pick<TagText, 'body'>, at: number): boolean {
  return at >= body.length || /\s/.test(body[at] ?? '');
}

function templateError({ source, bodyAt }: TagText, at: number, reason: string): TemplateError {
  return new TemplateError(reason, source, bodyAt + at);
}

function match(pattern: RegExp, { body }: TagText, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(body) ?? undefined;
}

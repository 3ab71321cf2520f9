import { templateLimits } from './limits.js';
import { TemplateError } from './template.error.js';

/** A piece of a template: plain text, or the text between two pairs of braces; `at` is where it begins. */
export type Piece =
  | Readonly<{ kind: 'text'; text: string; at: number }>
  | Readonly<{ kind: 'tag'; body: string; at: number; bodyAt: number }>;

/** From `start` to before `end`. The body of a comment is not used. */
type Tag = Readonly<{ start: number; end: number; body: string; isComment: boolean }>;

/**
 * The pieces of a template in order, without comments. A tag that is a comment or belongs to a block, and that is alone
 * on its line, removes the line. One pass over the text.
 */
export function* scanTemplate(source: string): Generator<Piece> {
  checkLength(source);
  let from = 0;
  let tags = 0;
  for (let open = source.indexOf('{{'); open !== -1; open = source.indexOf('{{', from)) {
    if (open > from && source[open - 1] === '\\') {
      yield { kind: 'text', text: `${source.slice(from, open - 1)}{{`, at: from };
      from = open + 2;
      continue;
    }
    if (++tags > templateLimits.tags)
      throw new TemplateError(`more than ${templateLimits.tags} tags`, source, open);
    const tag = tagAt(source, open);
    const { start, end } = lineOf(source, tag) ?? tag;
    yield* textIn(source, from, start);
    if (!tag.isComment) yield { kind: 'tag', body: tag.body, at: open, bodyAt: open + 2 };
    from = end;
  }
  yield* textIn(source, from, source.length);
}

function* textIn(source: string, from: number, end: number): Generator<Piece> {
  if (end > from) yield { kind: 'text', text: source.slice(from, end), at: from };
}

function checkLength(source: string): void {
  const { sourceLength: limit } = templateLimits;
  if (source.length > limit)
    throw new TemplateError(`a template has at most ${limit} characters`, source, limit);
}

function tagAt(source: string, start: number): Tag {
  const isComment = source.startsWith('{{!', start);
  const closing = source.startsWith('{{!--', start) ? '--}}' : '}}';
  const close = source.indexOf(closing, start + 2);
  if (close === -1)
    throw new TemplateError(`the tag is not closed: ${closing} is missing`, source, start);
  const { tagLength: limit } = templateLimits;
  if (!isComment && close - start - 2 > limit)
    throw new TemplateError(`a tag has at most ${limit} characters`, source, start);
  return {
    start,
    end: close + closing.length,
    isComment,
    body: isComment ? '' : source.slice(start + 2, close),
  };
}

/** Tags that render nothing themselves. */
function isSilent({ isComment, body }: Tag): boolean {
  return isComment || /^\s*(?:[#/]|else\s*$)/.test(body);
}

/** The whole line of a silent tag, with its end; undefined if anything else is in the line. */
function lineOf(source: string, tag: Tag): Readonly<{ start: number; end: number }> | undefined {
  if (!isSilent(tag)) return undefined;
  let { start, end } = tag;
  while (isBlank(source[start - 1])) start -= 1;
  while (isBlank(source[end])) end += 1;
  const ending = endingAt(source, end);
  if (ending === undefined || (start > 0 && source[start - 1] !== '\n')) return undefined;
  return { start, end: end + ending };
}

/** The length of the line end at an index; 0 at the end of the text, undefined if no line ends here. */
function endingAt(source: string, at: number): number | undefined {
  if (at === source.length) return 0;
  if (source[at] === '\n') return 1;
  return source.startsWith('\r\n', at) ? 2 : undefined;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

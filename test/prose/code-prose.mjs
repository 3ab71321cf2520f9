import { parseSync } from 'rolldown/utils';

/** Matched by no pattern, so that no phrase spans two pieces. The blank line ends a paragraph: long paragraphs are slow in prh. */
const separator = '\u0000\n\n';

const typeDeclarations = ['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'];
const titled = ['describe', 'it', 'test', 'property'];

/**
 * The prose of a source file: comments, string literals with a space in them, and names of types as `type Name`. `includes` decides by
 * the kind of a piece: `comment`, `title` (of a test), `literal` or `type`. `offsets` has the offset in the source of each character
 * of `text`.
 */
export function codeProse(path, source, includes) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) {
    throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  }
  const pieces = [...commentPieces(source, comments), ...nodePieces(program, source)];
  const included = pieces.filter(({ kind, text }) => includes(kind) && text.trim() !== '');
  return joinPieces(included.sort((a, b) => a.offset - b.offset));
}

/** Line comments on consecutive lines are one piece. */
function commentPieces(source, comments) {
  const pieces = [];
  let end = 0;
  for (const comment of comments) {
    const isLine = comment.type === 'Line';
    const text = source.slice(comment.start + 2, isLine ? comment.end : comment.end - 2);
    const gap = source.slice(end, comment.start);
    const last = pieces.at(-1);
    if (last?.isLine && isLine && /^\s*$/.test(gap) && gap.split('\n').length === 2) {
      last.text += `${gap}  ${text}`;
    } else {
      pieces.push({ kind: 'comment', offset: comment.start + 2, text, isLine });
    }
    end = comment.end;
  }
  return pieces.map((piece) => ({ ...piece, text: blankMarkup(piece.text) }));
}

/** Leaders of lines become spaces and code a word, both of the same length. */
function blankMarkup(text) {
  return text
    .replace(/^\*|\n[ \t]*\*/g, (leader) => leader.replace('*', ' '))
    .replace(/`[^`]*`|\{@link [^}]*\}/g, (code) => 'x'.repeat(code.length));
}

function nodePieces(program, source) {
  const pieces = [];
  const add = (kind, start, end) => {
    const text = source.slice(start, end);
    if (text.includes(' ')) {
      pieces.push({ kind, offset: start, text });
    }
  };
  const visit = (node, kind) => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      add(kind, node.start + 1, node.end - 1);
    } else if (node.type === 'TemplateElement') {
      add(kind, node.start, node.end);
    } else if (typeDeclarations.includes(node.type) && node.id) {
      pieces.push({ kind: 'type', offset: node.id.start, text: node.id.name, before: 'type ' });
    }
    visitChildren(node, visit);
  };
  visit(program, 'literal');
  return pieces;
}

function visitChildren(node, visit) {
  const isTitled = node.type === 'CallExpression' && titled.includes(rootName(node.callee));
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) {
      child.forEach((element, index) => {
        const isTitle = isTitled && child === node.arguments && index === 0;
        if (element?.type) visit(element, isTitle ? 'title' : 'literal');
      });
    } else if (child?.type) {
      visit(child, 'literal');
    }
  }
}

/** `it` of `it`, `it.skip` and `it.each(table)`. */
function rootName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return rootName(callee.object);
  if (callee.type === 'CallExpression') return rootName(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return rootName(callee.tag);
  return undefined;
}

function joinPieces(pieces) {
  const texts = [];
  const offsets = [];
  for (const { offset, text, before = '' } of pieces) {
    texts.push(before, text, separator);
    for (let index = -before.length; index < text.length + separator.length; index += 1) {
      offsets.push(offset + Math.max(index, 0));
    }
  }
  return { text: texts.join(''), offsets };
}

import { isExactNumber } from '#event-sourcing';

import { type CompileOptions } from './compile-options.js';
import { ExpressionError } from './expression-error.js';

export type Token = Readonly<{
  kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  /** The text in the source; for a string, its value. */
  value: string;
  at: number;
  /** Whether it is the first token of a line. */
  startsLine?: boolean;
}>;

const space = /[ \t\r\n]*/y;
const number = /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const name = /[A-Za-z_$][\w$]*/y;
// As in JavaScript, a digit after "?." belongs to a number: a ?.5 : 1.
const sign = /===|!==|==|!=|=>|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|[<>!?:.,()[\]{}+\-*/%=]/y;
const text = /"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*'/y;
const escape = /\\(?:u([0-9a-fA-F]{4})|([bfnrt0"'\\/])|([^]))/g;
const escaped: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
};

/** Reads a source token by token; a name after a dot may be a declared name with hyphens. */
export class Tokenizer {
  #at = 0;
  readonly #declared: readonly string[];
  readonly #exactNumbers: boolean;

  constructor(
    private readonly source: string,
    { declared = [], exactNumbers = false }: CompileOptions,
  ) {
    this.#exactNumbers = exactNumbers;
    // If two names match, the longer one takes precedence.
    this.#declared = declared.toSorted((a, b) => b.length - a.length);
  }

  next(): Token {
    const startsLine = this.#match(space)?.includes('\n') ?? false;
    return { ...this.#read(), startsLine };
  }

  /** Whether the next token begins with this text. */
  isNext(text: string): boolean {
    this.#match(space);
    return this.source.startsWith(text, this.#at);
  }

  #read(): Token {
    const at = this.#at;
    if (at === this.source.length) return { kind: 'end', value: '', at };
    const quoted = this.#match(text);
    if (quoted !== undefined) return { kind: 'text', value: this.#unquote(quoted, at), at };
    const digits = this.#match(number);
    if (digits !== undefined) return this.#number(digits, at);
    const word = this.#match(name);
    if (word !== undefined) return { kind: 'name', value: word, at };
    const mark = this.#match(sign);
    if (mark !== undefined) return { kind: 'sign', value: mark, at };
    throw new ExpressionError(`unexpected ${JSON.stringify(this.source[at])}`, at);
  }

  /** The member after a dot. */
  nextMember(): Token {
    this.#match(space);
    const at = this.#at;
    const value = this.#declared.find((each) => this.#standsHere(each)) ?? this.#match(name);
    if (value === undefined) throw new ExpressionError('a name is expected after the dot', at);
    this.#at = at + value.length;
    return { kind: 'name', value, at };
  }

  #standsHere(declared: string): boolean {
    const end = this.#at + declared.length;
    return this.source.startsWith(declared, this.#at) && !/[\w$-]/.test(this.source[end] ?? ' ');
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #number(digits: string, at: number): Token {
    if (/[\w$.]/.test(this.source[this.#at] ?? ' '))
      throw new ExpressionError('this is not a decimal number', at);
    if (!Number.isFinite(Number(digits)))
      throw new ExpressionError(`${digits} is too large for a number`, at);
    if (this.#exactNumbers && !isExactNumber(digits))
      throw new ExpressionError(
        `no double holds ${digits} exactly: write ${Number(digits)}, or a number of at most 15 digits`,
        at,
      );
    return { kind: 'number', value: digits, at };
  }

  #unquote(quoted: string, at: number): string {
    return quoted
      .slice(1, -1)
      .replace(escape, (_, code?: string, simple?: string, other?: string) => {
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
        if (simple !== undefined) return escaped[simple] ?? simple;
        throw new ExpressionError(`there is no escape \\${other}`, at);
      });
  }
}

import { type CompileOptions } from './compile-options.js';
import { ExpressionError } from './expression-error.js';
import { functionNames, listFunctions } from './function-names.js';
import { limits } from './limits.js';
import { describeArity, methodHint, signHint } from './parser-hints.js';
import { strengths, unaryStrength } from './operator-strengths.js';
import { type BinaryOperator, type Line, type LogicalOperator, type Syntax } from './syntax.js';
import { TokenReader } from './token-reader.js';
import { Tokenizer } from './tokenizer.js';

const accesses: ReadonlySet<string> = new Set(['.', '?.', '[']);
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Parses a source. Throws {@link ExpressionError} at the first fault, or if the source is too large. */
export function parse(source: string, options: CompileOptions): Syntax {
  if (source.length > limits.sourceLength)
    throw new ExpressionError(`longer than ${limits.sourceLength} characters`, limits.sourceLength);
  return new Parser(new Tokenizer(source, options), options.lines ?? false).parse();
}

class Parser extends TokenReader {
  readonly #grouped = new WeakSet<Syntax>();
  /** Names of elements in the list functions that enclose the current token. */
  readonly #parameters: string[] = [];
  /** The position of the first lookup of each name. */
  readonly #lookups = new Map<string, number>();

  constructor(
    tokens: Tokenizer,
    private readonly allowsLines: boolean,
  ) {
    super(tokens);
  }

  parse(): Syntax {
    const whole = this.allowsLines ? this.#lines() : this.#expression();
    const { kind, value } = this.token;
    if (kind !== 'end') this.fail(signHint(value) ?? 'the expression should have ended');
    return whole;
  }

  #lines(): Syntax {
    const { at } = this.token;
    const lines: Line[] = [];
    const names = new Set<string>();
    do lines.push(this.#line(names));
    while (this.token.startsLine && this.token.kind !== 'end' && lines.at(-1)?.name);
    const [first] = lines;
    return first && names.size === 0 ? first.value : this.node({ kind: 'lines', lines, at });
  }

  #line(names: Set<string>): Line {
    const { value: name, at } = this.nameBefore('=', ['==', '=>']) ?? {};
    if (name !== undefined && names.has(name))
      throw new ExpressionError(`a line above is called ${name} already`, at ?? 0);
    const value = this.#expression();
    if (name === undefined) return { value };
    this.#refuseEarlyLookup(name);
    names.add(name);
    return { name, value };
  }

  #refuseEarlyLookup(name: string): void {
    const at = this.#lookups.get(name);
    if (at !== undefined)
      throw new ExpressionError(`${name} is used before the end of its line`, at);
  }

  #expression(): Syntax {
    return this.deeper(() => {
      const test = this.#operators(0);
      const { at } = this.token;
      if (!this.take('?')) return test;
      const consequent = this.#expression();
      this.expect(':');
      const alternate = this.#expression();
      return this.node({ kind: 'conditional', test, consequent, alternate, at });
    });
  }

  #operators(weakest: number): Syntax {
    let left = this.#unary();
    for (;;) {
      const { value, at } = this.token;
      const strength = this.#isOperator() ? (strengths[value] ?? 0) : 0;
      if (strength <= weakest) return left;
      this.advance();
      left = this.#combine(
        value,
        left,
        this.deeper(() => this.#operators(strength)),
        at,
      );
    }
  }

  #isOperator(): boolean {
    const { kind, value } = this.token;
    return kind === 'sign' || (kind === 'name' && value === 'in');
  }

  #combine(operator: string, left: Syntax, right: Syntax, at: number): Syntax {
    if (operator !== '??' && operator !== '||' && operator !== '&&')
      // Only operators of the table reach this line.
      return this.node({ kind: 'binary', operator: operator as BinaryOperator, left, right, at });
    for (const side of [left, right]) this.#refuseMixed(operator, side, at);
    return this.node({ kind: 'logical', operator, left, right, at });
  }

  /** As in JavaScript, mixing these operators requires parentheses. */
  #refuseMixed(operator: LogicalOperator, side: Syntax, at: number): void {
    if (side.kind !== 'logical' || this.#grouped.has(side)) return;
    if ((operator === '??') !== (side.operator === '??'))
      throw new ExpressionError('put parentheses around one of ?? and || or &&', at);
  }

  #unary(): Syntax {
    const { kind, value, at } = this.token;
    if (kind !== 'sign' || (value !== '!' && value !== '-')) return this.#postfix();
    this.advance();
    const operand = this.deeper(() => this.#operators(unaryStrength));
    return this.node({ kind: 'unary', operator: value, operand, at });
  }

  #postfix(): Syntax {
    let object = this.#primary();
    for (;;) {
      const { value, kind, at } = this.token;
      if (kind !== 'sign' || !accesses.has(value)) return object;
      const isOptionalIndex = value === '?.' && this.tokens.isNext('[');
      if (isOptionalIndex) this.advance();
      object =
        value === '[' || isOptionalIndex ? this.#index(object, at) : this.#member(object, at);
    }
  }

  #member(object: Syntax, at: number): Syntax {
    const { value: key, at: keyAt } = this.tokens.nextMember();
    this.advance();
    if (this.isSign('(')) throw new ExpressionError(methodHint(key), keyAt);
    return this.node({ kind: 'member', object, key, at });
  }

  #index(object: Syntax, at: number): Syntax {
    this.advance();
    const index = this.#expression();
    this.expect(']');
    return this.node({ kind: 'index', object, index, at });
  }

  #primary(): Syntax {
    const { kind, value, at } = this.token;
    if (kind === 'end') return this.fail('something is missing here');
    this.advance();
    if (kind === 'number') return this.node({ kind: 'literal', value: Number(value), at });
    if (kind === 'text') return this.node({ kind: 'literal', value, at });
    if (kind === 'name') return this.#word(value, at);
    return this.#bracketed(value, at);
  }

  #bracketed(opening: string, at: number): Syntax {
    if (opening === '(') {
      const inner = this.#expression();
      this.expect(')');
      this.#grouped.add(inner);
      return inner;
    }
    if (opening === '[')
      return this.node({ kind: 'array', elements: this.list(']', () => this.#expression()), at });
    if (opening === '{')
      return this.node({ kind: 'object', members: this.list('}', () => this.#pair()), at });
    throw new ExpressionError(`unexpected "${opening}"`, at);
  }

  #pair(): readonly [string, Syntax] {
    const { kind, value } = this.token;
    if (kind !== 'name' && kind !== 'text') this.fail('a key is expected: a name or a text');
    this.advance();
    this.expect(':');
    return [value, this.#expression()];
  }

  #word(value: string, at: number): Syntax {
    const literal = words[value];
    if (Object.hasOwn(words, value) && literal !== undefined)
      return this.node({ kind: 'literal', value: literal, at });
    if (value === 'undefined') return this.node({ kind: 'undefined', at });
    if (value === 'in') throw new ExpressionError('something is missing before "in"', at);
    if (this.take('(')) return this.#call(value, at);
    if (!this.#lookups.has(value) && !this.#parameters.includes(value))
      this.#lookups.set(value, at);
    return this.node({ kind: 'name', name: value, at });
  }

  #call(name: string, at: number): Syntax {
    const arity = functionNames.get(name);
    if (!arity)
      throw new ExpressionError(
        `there is no function ${name}; there are ${[...functionNames.keys()].join(', ')}`,
        at,
      );
    let parameter: string | undefined;
    const given = this.list(')', (place) => {
      if (place === 1 && listFunctions.has(name)) parameter = this.nameBefore('=>')?.value;
      return this.#within(parameter);
    });
    const [minimum, maximum] = arity;
    if (given.length < minimum || given.length > maximum)
      throw new ExpressionError(`${name} takes ${describeArity(name, minimum, maximum)}`, at);
    const named = parameter === undefined ? {} : { parameter };
    return this.node({ kind: 'call', name, arguments: given, ...named, at });
  }

  #within(parameter: string | undefined): Syntax {
    if (parameter === undefined) return this.#expression();
    this.#parameters.push(parameter);
    const body = this.#expression();
    this.#parameters.pop();
    return body;
  }
}

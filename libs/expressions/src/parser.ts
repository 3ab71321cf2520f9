import { type CompileOptions } from './compile-options.js';
import { ExpressionError } from './expression-error.js';
import { listFunctions, functionNames } from './function-names.js';
import { limits } from './limits.js';
import { type BinaryOperator, type LogicalOperator, type Syntax } from './syntax.js';
import { type Token, Tokenizer } from './tokenizer.js';

/** How strongly an operator binds; of equals, the left one first. */
const strengths: Readonly<Record<string, number>> = {
  ...{ '??': 1, '||': 2, '&&': 3, '===': 4, '!==': 4, '==': 4, '!=': 4 },
  ...{ '<': 5, '<=': 5, '>': 5, '>=': 5, in: 5, '+': 6, '-': 6, '*': 7, '/': 7, '%': 7 },
};
const unaryStrength = 8;

/** `==` compares as `===` does: nothing here converts what it compares. */
const same: Readonly<Record<string, string>> = { '==': '===', '!=': '!==' };
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Reads a whole source. Throws {@link ExpressionError} where it first goes wrong, or is too large. */
export function parse(source: string, options: CompileOptions): Syntax {
  if (source.length > limits.sourceLength)
    throw new ExpressionError(`longer than ${limits.sourceLength} characters`, limits.sourceLength);
  return new Parser(new Tokenizer(source, options)).parse();
}

class Parser {
  #token: Token;
  #nodes = 0;
  #depth = 0;
  readonly #grouped = new WeakSet<Syntax>();

  constructor(private readonly tokens: Tokenizer) {
    this.#token = tokens.next();
  }

  parse(): Syntax {
    const whole = this.#expression();
    if (this.#token.kind !== 'end') this.#fail('the expression should have ended');
    return whole;
  }

  #expression(): Syntax {
    return this.#deeper(() => {
      const test = this.#operators(0);
      const { at } = this.#token;
      if (!this.#take('?')) return test;
      const consequent = this.#expression();
      this.#expect(':');
      const alternate = this.#expression();
      return this.#node({ kind: 'conditional', test, consequent, alternate, at });
    });
  }

  #operators(weakest: number): Syntax {
    let left = this.#unary();
    for (;;) {
      const { value, at } = this.#token;
      const strength = this.#isOperator() ? (strengths[value] ?? 0) : 0;
      if (strength <= weakest) return left;
      this.#advance();
      left = this.#combine(
        value,
        left,
        this.#deeper(() => this.#operators(strength)),
        at,
      );
    }
  }

  #isOperator(): boolean {
    const { kind, value } = this.#token;
    return kind === 'sign' || (kind === 'name' && value === 'in');
  }

  #combine(value: string, left: Syntax, right: Syntax, at: number): Syntax {
    const operator = same[value] ?? value;
    if (operator !== '??' && operator !== '||' && operator !== '&&')
      // Only the operators of the table come here.
      return this.#node({ kind: 'binary', operator: operator as BinaryOperator, left, right, at });
    for (const side of [left, right]) this.#refuseMixed(operator, side, at);
    return this.#node({ kind: 'logical', operator, left, right, at });
  }

  /** As in JavaScript, which of the two is meant has to be said. */
  #refuseMixed(operator: LogicalOperator, side: Syntax, at: number): void {
    if (side.kind !== 'logical' || this.#grouped.has(side)) return;
    if ((operator === '??') !== (side.operator === '??'))
      throw new ExpressionError('put parentheses around one of ?? and || or &&', at);
  }

  #unary(): Syntax {
    const { kind, value, at } = this.#token;
    if (kind !== 'sign' || (value !== '!' && value !== '-')) return this.#postfix();
    this.#advance();
    const operand = this.#deeper(() => this.#operators(unaryStrength));
    return this.#node({ kind: 'unary', operator: value, operand, at });
  }

  #postfix(): Syntax {
    let object = this.#primary();
    for (;;) {
      const { value, kind, at } = this.#token;
      if (kind !== 'sign' || (value !== '.' && value !== '[')) return object;
      object = value === '.' ? this.#member(object, at) : this.#index(object, at);
    }
  }

  #member(object: Syntax, at: number): Syntax {
    const { value: key } = this.tokens.nextMember();
    this.#advance();
    return this.#node({ kind: 'member', object, key, at });
  }

  #index(object: Syntax, at: number): Syntax {
    this.#advance();
    const index = this.#expression();
    this.#expect(']');
    return this.#node({ kind: 'index', object, index, at });
  }

  #primary(): Syntax {
    const { kind, value, at } = this.#token;
    if (kind === 'end') return this.#fail('something is missing here');
    this.#advance();
    if (kind === 'number') return this.#node({ kind: 'literal', value: Number(value), at });
    if (kind === 'text') return this.#node({ kind: 'literal', value, at });
    if (kind === 'name') return this.#word(value, at);
    return this.#bracketed(value, at);
  }

  #bracketed(opening: string, at: number): Syntax {
    if (opening === '(') {
      const inner = this.#expression();
      this.#expect(')');
      this.#grouped.add(inner);
      return inner;
    }
    if (opening === '[')
      return this.#node({ kind: 'array', elements: this.#list(']', () => this.#expression()), at });
    if (opening === '{')
      return this.#node({ kind: 'object', members: this.#list('}', () => this.#pair()), at });
    throw new ExpressionError(`unexpected "${opening}"`, at);
  }

  #pair(): readonly [string, Syntax] {
    const { kind, value } = this.#token;
    if (kind !== 'name' && kind !== 'text') this.#fail('a key is expected: a name or a text');
    this.#advance();
    this.#expect(':');
    return [value, this.#expression()];
  }

  #word(value: string, at: number): Syntax {
    const literal = words[value];
    if (Object.hasOwn(words, value) && literal !== undefined)
      return this.#node({ kind: 'literal', value: literal, at });
    if (value === 'undefined') return this.#node({ kind: 'undefined', at });
    if (value === 'in') throw new ExpressionError('something is missing before "in"', at);
    return this.#take('(') ? this.#call(value, at) : this.#node({ kind: 'name', name: value, at });
  }

  #call(name: string, at: number): Syntax {
    const arity = functionNames.get(name);
    if (!arity)
      throw new ExpressionError(
        `there is no function ${name}; there are ${[...functionNames.keys()].join(', ')}`,
        at,
      );
    const given = this.#list(')', () => this.#expression());
    const [least, most] = arity;
    if (given.length < least || given.length > most)
      throw new ExpressionError(`${name} takes ${describeArity(name, least, most)}`, at);
    return this.#node({ kind: 'call', name, arguments: given, at });
  }

  #list<Item>(closing: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#take(closing)) {
      if (items.length > 0) this.#expect(',');
      items.push(item());
    }
    return items;
  }

  #node(node: Syntax): Syntax {
    this.#nodes++;
    if (this.#nodes > limits.nodes)
      throw new ExpressionError(`more than ${limits.nodes} parts`, node.at);
    return node;
  }

  #deeper<Result>(work: () => Result): Result {
    this.#depth++;
    if (this.#depth > limits.depth) this.#fail(`nested more than ${limits.depth} deep`);
    const result = work();
    this.#depth--;
    return result;
  }

  #take(sign: string): boolean {
    const isThere = this.#token.kind === 'sign' && this.#token.value === sign;
    if (isThere) this.#advance();
    return isThere;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) this.#fail(`"${sign}" is expected`);
  }

  #advance(): void {
    this.#token = this.tokens.next();
  }

  #fail(reason: string): never {
    throw new ExpressionError(reason, this.#token.at);
  }
}

function describeArity(name: string, least: number, most: number): string {
  if (listFunctions.has(name)) return 'a list and an expression in which each element is item';
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return `${least} argument${least === 1 ? '' : 's'}`;
}

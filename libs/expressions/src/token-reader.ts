import { ExpressionError } from './expression-error.js';
import { limits } from './limits.js';
import { reservedWords } from './parser-hints.js';
import { type Syntax } from './syntax.js';
import { type Token, type Tokenizer } from './tokenizer.js';

/** Reads tokens one by one, and checks the created nodes against the limits. */
export class TokenReader {
  /** The first token that has not been consumed. */
  protected token: Token;
  #nodes = 0;
  #depth = 0;

  constructor(protected readonly tokens: Tokenizer) {
    this.token = tokens.next();
  }

  protected take(sign: string): boolean {
    const isThere = this.isSign(sign);
    if (isThere) this.advance();
    return isThere;
  }

  protected isSign(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.value === sign;
  }

  /**
   * Consumes a name and the sign after it; returns undefined and consumes nothing if another or a longer sign
   * follows.
   */
  protected nameBefore(sign: string, longer: readonly string[] = []): Token | undefined {
    const name = this.token;
    const isThere = this.tokens.isNext(sign) && !longer.some((each) => this.tokens.isNext(each));
    if (name.kind !== 'name' || !isThere) return undefined;
    if (reservedWords.has(name.value))
      this.fail(`${name.value} is a reserved word: use another name`);
    this.advance();
    this.advance();
    return name;
  }

  protected expect(sign: string): void {
    if (!this.take(sign)) this.fail(`"${sign}" is expected`);
  }

  protected advance(): void {
    this.token = this.tokens.next();
  }

  protected list<Item>(closing: string, item: (place: number) => Item): Item[] {
    const items: Item[] = [];
    while (!this.take(closing)) {
      if (items.length > 0) this.expect(',');
      items.push(item(items.length));
    }
    return items;
  }

  protected node(node: Syntax): Syntax {
    this.#nodes++;
    if (this.#nodes > limits.nodes)
      throw new ExpressionError(`more than ${limits.nodes} parts`, node.at);
    return node;
  }

  protected deeper<Result>(work: () => Result): Result {
    this.#depth++;
    if (this.#depth > limits.depth) this.fail(`nested more than ${limits.depth} deep`);
    const result = work();
    this.#depth--;
    return result;
  }

  protected fail(reason: string): never {
    throw new ExpressionError(reason, this.token.at);
  }
}

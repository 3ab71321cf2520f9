/** A member or an element: its name or index, and where its value is in the text (`end` is after it). */
export type ScannedPart = Readonly<{ name: string | number; start: number; end: number }>;

/**
 * The structure of a JSON text. `parts`: the parts of the outermost object or array; `depth`: the deepest nesting, 0
 * for a scalar; `names`: the number of members of all objects, including repeated ones; `longNumbers`: literals that a
 * double may not represent exactly.
 */
export type ScannedJson = Readonly<{
  kind: 'object' | 'array' | 'scalar';
  parts: readonly ScannedPart[];
  depth: number;
  names: number;
  longNumbers: readonly string[];
}>;

/** The error for a text that is not JSON at `offset`. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';

  constructor(
    readonly offset: number,
    isEnd: boolean,
  ) {
    super(isEnd ? 'the JSON ends too early' : 'this is not JSON');
  }
}

/** Scans a JSON text once, with an explicit stack, so that no nesting exhausts the call stack. Throws JsonTextError. */
export function scanJson(text: string): ScannedJson {
  return new Scanner(text).scan();
}

const space = /[ \t\n\r]*/y;
const plain = /[^"\\\u0000-\u001f]*/y;
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;

/** Decimal literals of up to 15 digits without an exponent are exact. */
const alwaysExact = 15;

class Scanner {
  #at = 0;
  #depth = 0;
  #names = 0;
  readonly #longNumbers: string[] = [];
  /** The closing brackets of the open containers. */
  readonly #open: string[] = [];
  readonly #parts: ScannedPart[] = [];
  #part: { name: string | number; start: number } = { name: '', start: 0 };

  constructor(private readonly text: string) {}

  scan(): ScannedJson {
    this.#skip(space);
    const first = this.text[this.#at] ?? '';
    do this.#value();
    while (this.#hasMore());
    const kind = first === '{' ? 'object' : first === '[' ? 'array' : 'scalar';
    const [depth, names, longNumbers] = [this.#depth, this.#names, this.#longNumbers];
    return { kind, parts: this.#parts, depth, names, longNumbers };
  }

  /** Reads one scalar, or opens containers until the first scalar or empty container in them. */
  #value(): void {
    for (;;) {
      this.#skip(space);
      if (this.#open.length === 1) this.#begin();
      const mark = this.text[this.#at];
      if (mark !== '{' && mark !== '[') return this.#scalar(mark);
      if (this.#openContainer(mark)) return;
    }
  }

  /** Returns whether the container is empty, and closed already. */
  #openContainer(mark: '{' | '['): boolean {
    const closing = mark === '{' ? '}' : ']';
    this.#open.push(closing);
    if (this.#open.length > this.#depth) this.#depth = this.#open.length;
    this.#at++;
    this.#skip(space);
    if (this.text[this.#at] === closing) return this.#close();
    if (this.#open.length === 1) this.#part = { name: 0, start: this.#at };
    if (mark === '{') this.#name();
    return false;
  }

  #close(): true {
    this.#open.pop();
    this.#at++;
    return true;
  }

  /** After a value: closes the containers that end here. Returns whether another value follows. */
  #hasMore(): boolean {
    for (;;) {
      if (this.#open.length === 1) this.#end();
      this.#skip(space);
      const closing = this.#open.at(-1);
      if (closing === undefined) return this.#expectEnd();
      const mark = this.text[this.#at];
      if (mark === ',') return this.#next(closing);
      if (mark !== closing) this.#fail();
      this.#close();
    }
  }

  #next(closing: string): true {
    this.#at++;
    if (closing === '}') this.#name();
    else if (this.#open.length === 1)
      this.#part = { name: Number(this.#part.name) + 1, start: this.#at };
    return true;
  }

  #expectEnd(): false {
    if (this.#at < this.text.length) this.#fail();
    return false;
  }

  #begin(): void {
    this.#part = { name: this.#part.name, start: this.#at };
  }

  /** Adds a part, unless it was added when its object or array was closed. */
  #end(): void {
    const { name, start } = this.#part;
    if (this.#parts.at(-1)?.start !== start) this.#parts.push({ name, start, end: this.#at });
  }

  #name(): void {
    this.#skip(space);
    const start = this.#at;
    if (this.text[start] !== '"') this.#fail();
    this.#string();
    this.#names++;
    if (this.#open.length === 1) {
      const name: unknown = JSON.parse(this.text.slice(start, this.#at));
      this.#part = { name: String(name), start };
    }
    this.#skip(space);
    if (this.text[this.#at] !== ':') this.#fail();
    this.#at++;
  }

  #scalar(mark: string | undefined): void {
    if (mark === '"') return this.#string();
    const start = this.#at;
    if (!this.#skip(literal) && !this.#skip(number)) this.#fail();
    if (this.#at - start > alwaysExact || /[eE]/.test(this.text.slice(start, this.#at)))
      this.#addNumber(this.text.slice(start, this.#at));
  }

  #addNumber(written: string): void {
    if (written !== 'true' && written !== 'false') this.#longNumbers.push(written);
  }

  #string(): void {
    this.#at++;
    for (;;) {
      this.#skip(plain);
      if (this.text[this.#at] === '"') break;
      if (!this.#skip(escapes)) this.#fail();
    }
    this.#at++;
  }

  /** Moves after the match of the pattern. Returns whether it matches. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(): never {
    throw new JsonTextError(this.#at, this.#at >= this.text.length);
  }
}

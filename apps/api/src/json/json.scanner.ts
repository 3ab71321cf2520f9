import { isExactNumber, parseJsonString } from '#event-sourcing';

import { FaultList } from './fault-list.js';
import * as char from './json-characters.js';
import { InvalidJsonError, UnfitJsonError } from './json.errors.js';
import { type JsonListener } from './json.listener.js';
import { KeySet } from './key-set.js';
import { jsonPointer } from './json-pointer.js';

const maxJsonDepth = 64;
/** Limited because each value takes up to a hundred bytes of memory, even if its text is short. */
export const maxJsonValues = 1_000_000;
/** Limited because listing the members of an object is one uninterruptible step. */
export const maxJsonMembers = 200_000;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const fourHex = /[0-9a-fA-F]{4}/y;
const literals: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };

/** All number literals of at most this many characters are exact, also with an exponent: `9e99`. */
const alwaysExactLength = 4;

/** An open object (`keys`: its keys so far) or array (`keys` is null); `at` is the current member or index. */
type Frame = { keys: KeySet | null; at: string | number };

/** Scans JSON text in one pass. Uses an explicit stack, so that no input can exhaust the call stack. */
export class JsonScanner {
  readonly #text: string;
  readonly #open: Frame[] = [];
  readonly #faults = new FaultList();
  #at = 0;
  #values = 0;

  constructor(
    text: string,
    private readonly listener: JsonListener,
  ) {
    this.#text = text;
  }

  /**
   * Scans in steps of about `stepLength` characters and returns the faults of values that cannot be stored exactly.
   * Throws {@link InvalidJsonError} if the text is not JSON, and {@link UnfitJsonError} as soon as it is nested too deeply
   * or contains too many values.
   */
  *scan(stepLength: number): Generator<void, FaultList> {
    let next = stepLength;
    do {
      this.#value();
      if (this.#at > next) {
        next = this.#at + stepLength;
        yield;
      }
    } while (this.#hasMore());
    return this.#faults;
  }

  /** Reads one scalar, or opens containers until the first scalar inside them. */
  #value(): void {
    for (;;) {
      const code = this.#skipSpace();
      if (code === char.openBrace) {
        if (this.#openObject()) return;
      } else if (code === char.openBracket) {
        if (this.#openArray()) return;
      } else return this.#scalar(code);
    }
  }

  /** Returns true if the object is empty and already closed. */
  #openObject(): boolean {
    this.#push({ keys: new KeySet(), at: '' }, true);
    if (this.#skipSpace() === char.closeBrace) return this.#pop();
    this.#key();
    return false;
  }

  #openArray(): boolean {
    this.#push({ keys: null, at: 0 }, false);
    return this.#skipSpace() === char.closeBracket && this.#pop();
  }

  #push(frame: Frame, isObject: boolean): void {
    this.#count();
    if (this.#open.length === maxJsonDepth) {
      const { faults, more } = this.#faults;
      const detail = `nested deeper than ${maxJsonDepth}`;
      throw new UnfitJsonError([{ pointer: this.#pointer(), detail }, ...faults], more);
    }
    this.#open.push(frame);
    this.listener.opened(this.#at++, isObject);
  }

  #pop(): true {
    this.#open.pop();
    this.listener.closed(this.#at++);
    return true;
  }

  /** Closes the containers that end after a value; returns true if another value follows. */
  #hasMore(): boolean {
    for (;;) {
      const code = this.#skipSpace();
      const frame = this.#open.at(-1);
      if (!frame) return this.#expectEnd();
      if (code === char.comma) return this.#next(frame);
      if (code !== (frame.keys ? char.closeBrace : char.closeBracket)) this.#fail();
      this.#pop();
    }
  }

  #expectEnd(): false {
    if (this.#at < this.#text.length) this.#fail();
    return false;
  }

  #next(frame: Frame): true {
    this.listener.separated(this.#at++);
    if (typeof frame.at === 'number') frame.at++;
    else {
      this.#skipSpace();
      this.#key();
    }
    return true;
  }

  #key(): void {
    if (this.#text.charCodeAt(this.#at) !== char.quote) this.#fail();
    const start = this.#at;
    const escaped = this.#string();
    const raw = this.#text.slice(start, this.#at);
    const key = escaped ? parseJsonString(raw) : raw.slice(1, -1);
    this.#addKey(key);
    this.listener.named(key, start);
    if (this.#skipSpace() !== char.colon) this.#fail();
    this.#at++;
  }

  #addKey(key: string): void {
    const frame = this.#open.at(-1);
    if (!frame?.keys) return;
    frame.at = key;
    if (frame.keys.has(key)) {
      const fault = { pointer: this.#pointer(), detail: 'the key occurs twice' };
      throw new InvalidJsonError(`a key occurs twice, ${this.#lineAndColumn()}`, [fault]);
    }
    if (frame.keys.add(key) <= maxJsonMembers) return;
    const pointer = jsonPointer(this.#open.slice(0, -1).map(({ at }) => at));
    const detail = `has more than ${maxJsonMembers} members: send fewer at once`;
    throw new UnfitJsonError([{ pointer, detail }]);
  }

  #scalar(code: number): void {
    this.#count();
    if (code === char.quote) this.#string();
    else if (code === char.minus || (code >= 0x30 && code <= 0x39)) this.#number();
    else this.#literal(code);
  }

  #count(): void {
    if (++this.#values <= maxJsonValues) return;
    const detail = `has more than ${maxJsonValues} values: send fewer at once`;
    throw new UnfitJsonError([{ pointer: '', detail }]);
  }

  /** Returns whether the string contains escapes. Uses local variables, because this is the hottest loop. */
  #string(): boolean {
    const text = this.#text;
    let escaped = false;
    let at = this.#at + 1;
    for (let code; (code = text.charCodeAt(at)) !== char.quote; at++) {
      if (code > char.backslash) continue;
      if (code === char.backslash) {
        escaped = true;
        at = this.#escape(at);
      } else if (!(code >= 0x20)) this.#failAt(at); // a control character, or NaN at the end of the text
    }
    this.#at = at + 1;
    return escaped;
  }

  /** Returns the index of the last character of the escape. */
  #escape(backslashAt: number): number {
    const at = backslashAt + 1;
    const letter = this.#text[at] ?? '';
    if (letter === 'u') {
      fourHex.lastIndex = at + 1;
      return fourHex.test(this.#text) ? at + 4 : this.#failAt(at);
    }
    return letter !== '' && '"\\/bfnrt'.includes(letter) ? at : this.#failAt(at);
  }

  #number(): void {
    number.lastIndex = this.#at;
    if (!number.test(this.#text)) this.#fail();
    const end = number.lastIndex;
    if (end - this.#at > alwaysExactLength) this.#check(end);
    this.#at = end;
  }

  #check(end: number): void {
    if (isExactNumber(this.#text.slice(this.#at, end))) return;
    this.#faults.add(() => this.#pointer(), 'a double cannot represent this number exactly');
  }

  #literal(code: number): void {
    const literal = literals[code];
    if (!literal || !this.#text.startsWith(literal, this.#at)) this.#fail();
    else this.#at += literal.length;
  }

  /** Moves to the next character that is not white space and returns its code, NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #pointer(): string {
    return jsonPointer(this.#open.map(({ at }) => at));
  }

  #failAt(at: number): never {
    this.#at = at;
    return this.#fail();
  }

  #fail(): never {
    const what = this.#at >= this.#text.length ? 'the JSON ends too early' : 'this is not JSON';
    throw new InvalidJsonError(`${what}, ${this.#lineAndColumn()}`);
  }

  #lineAndColumn(): string {
    let [line, start] = [1, 0];
    for (let at = 0; at < this.#at; at++)
      if (this.#text.charCodeAt(at) === char.lineFeed) [line, start] = [line + 1, at + 1];
    return `line ${line}, column ${this.#at - start + 1}`;
  }
}

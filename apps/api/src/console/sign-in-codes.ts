import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Milliseconds in which the printed link can be opened. */
const signInCodeMs = 15 * 60_000;

/** The code of the sign-in link that `start` prints on a terminal. A person who reads that terminal may use the root key. */
export class SignInCodes {
  #code: Readonly<{ value: Buffer; expiresAt: number }> | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Replaces the code before. */
  create(): string {
    const value = randomBytes(24);
    this.#code = { value, expiresAt: this.now() + signInCodeMs };
    return value.toString('base64url');
  }

  /** Returns true once for a code, and only before it expires. */
  redeem(text: string): boolean {
    const code = this.#code;
    const value = Buffer.from(text, 'base64url');
    if (!code || value.length !== code.value.length || this.now() >= code.expiresAt) return false;
    if (!timingSafeEqual(value, code.value)) return false;
    this.#code = undefined;
    return true;
  }
}

import { type ContextHead } from '#read-models';

import { reaches } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';

/** Of which context answers are that several requests may share: each of these must reach it. */
export class AnswerHeads {
  readonly #heads = new WeakMap<object, ContextHead>();

  note(answer: object, head: ContextHead): void {
    this.#heads.set(answer, head);
  }

  /** False for an answer of which nothing was noted. */
  reaches(principal: Principal, answer: object): boolean {
    const head = this.#heads.get(answer);
    return head !== undefined && reaches(principal, head);
  }
}

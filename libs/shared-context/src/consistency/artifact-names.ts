import { type ContextRecord } from './context-record.js';
import { memberOf, textsIn } from './payload.js';

/** What artifacts of the record are named by: ids, and where they are; a place in one may follow behind `#`. */
export class ArtifactNames {
  readonly #names: ReadonlySet<string>;

  constructor(record: ContextRecord) {
    this.#names = new Set(
      record
        .of('artifact')
        .flatMap(({ key, body }) => [
          key,
          ...textsIn([memberOf(body, 'path') ?? null, memberOf(body, 'uri') ?? null]),
        ]),
    );
  }

  has(named: string): boolean {
    return this.#names.has(named) || this.#names.has(named.replace(/#.*$/s, ''));
  }
}

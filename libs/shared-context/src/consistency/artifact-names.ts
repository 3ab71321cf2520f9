import { type ContextRecord } from './context-record.js';
import { memberOf, textsIn } from './payload.js';

/**
 * What artifacts of the record are named by: ids, and where they are; a place in one may follow behind `#`. What a phase
 * says it has put out is known too.
 */
export class ArtifactNames {
  readonly #ids: ReadonlyMap<string, string>;
  readonly #outputs: ReadonlySet<string>;

  constructor(record: ContextRecord) {
    this.#ids = new Map(
      record.of('artifact').flatMap(({ key, body }) => {
        const places = textsIn([memberOf(body, 'path') ?? null, memberOf(body, 'uri') ?? null]);
        return [key, ...places].map((name) => [name, key] as const);
      }),
    );
    this.#outputs = new Set(
      record.of('phase').flatMap(({ body }) => textsIn(memberOf(body, 'outputs'))),
    );
  }

  has(named: string): boolean {
    return this.#idOf(named) !== undefined || this.#outputs.has(named);
  }

  /** One text for all that name the same: the id of an artifact, or what was said. */
  resolve(named: string): string {
    return this.#idOf(named) ?? named;
  }

  #idOf(named: string): string | undefined {
    return this.#ids.get(named) ?? this.#ids.get(named.replace(/#.*$/s, ''));
  }
}

import { type ContextRecord } from './context-record.js';
import { memberOf, textsIn } from './payload.js';

/**
 * The names of artifacts in a record: ids, paths and URIs, which a fragment after `#` may follow. The outputs of phases
 * count as known names too.
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

  /** Maps every name of an artifact to its id; returns an unknown name unchanged. */
  resolve(named: string): string {
    return this.#idOf(named) ?? named;
  }

  #idOf(named: string): string | undefined {
    return this.#ids.get(named) ?? this.#ids.get(named.replace(/#.*$/s, ''));
  }
}

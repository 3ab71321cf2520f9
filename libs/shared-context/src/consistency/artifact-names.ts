import { type ContextRecord } from './context-record.js';
import { memberOf, textsIn } from './payload.js';

/** Texts that name an artifact of the record: ids, and where artifacts are. */
export function artifactNames(record: ContextRecord): ReadonlySet<string> {
  return new Set(
    record
      .of('artifact')
      .flatMap(({ key, body }) => [
        key,
        ...textsIn([memberOf(body, 'path') ?? null, memberOf(body, 'uri') ?? null]),
      ]),
  );
}

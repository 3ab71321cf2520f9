import { type JsonValue } from '#event-sourcing';

import { referredBy } from './schema-reference.js';
import { type CheckedPart, type Part } from './value-part.js';
import { type Subschema, type ValueSchema } from './value-schema.js';

/**
 * Finds the schemas that `$ref` and `allOf` apply to a value. A schema is applied to a value only once, even if several
 * references lead to it: otherwise ten levels of two references each would check it a thousand times.
 */
export class References {
  readonly #checkedValues = new Map<Subschema, Set<JsonValue>>();

  constructor(private readonly root: ValueSchema) {}

  *partsAt(part: CheckedPart): Generator<Part> {
    const { $ref, allOf = [] } = part.schema;
    if ($ref === undefined && allOf.length === 0) return;
    const { applied = new Set() } = part;
    if ($ref !== undefined) {
      // Schemas with dangling references are refused when they are stored.
      const schema = referredBy(this.root, $ref) as Subschema;
      if (this.#isNew(schema, part.value, applied)) yield { ...part, schema, applied };
    }
    for (const schema of allOf) yield { ...part, schema, applied };
  }

  #isNew(schema: Subschema, value: JsonValue, applied: Set<Subschema>): boolean {
    const known: Set<unknown> = isCompound(value) ? this.#valuesOf(schema) : applied;
    const key = isCompound(value) ? value : schema;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  }

  #valuesOf(schema: Subschema): Set<JsonValue> {
    const known = this.#checkedValues.get(schema) ?? new Set();
    this.#checkedValues.set(schema, known);
    return known;
  }
}

function isCompound(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

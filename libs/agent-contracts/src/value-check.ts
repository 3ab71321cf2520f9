import { type JsonObject, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

import { isList, memberOf } from './json.js';
import { fitsNone } from './alternatives.js';
import { contractLimits } from './limits.js';
import { type Pattern, compilePattern } from './patterns/pattern-program.js';
import { compileClasses, matchesPattern } from './patterns/pattern-search.js';
import { References } from './references.js';
import { stepsOfText } from './text-steps.js';
import { keywords } from './value-keywords.js';
import {
  type CheckedPart,
  type Fault,
  type PartFault,
  type Part,
  isChecked,
  pointerTo,
  shortDetail,
} from './value-part.js';
import { alternativeTo, discriminatorsFirst, entriesOf, leadsOn } from './value-parts.js';
import { type Subschema, type ValueSchema } from './value-schema.js';

/** Yields the found items, and undefined after each step of the search. */
type Steps<Item> = Generator<Item | undefined>;

/** Checks values against one schema. */
export class ValueCheck {
  readonly #patterns = new Map<string, Pattern>();
  /** The nesting depth of alternatives; each step passes through all levels. */
  #nesting = 0;

  constructor(
    private readonly root: ValueSchema,
    private readonly spend: Spend,
  ) {}

  /** The first faults of a part, outer ones first; at most `limit`. */
  *faults(root: Part, limit: number): Generator<undefined, readonly Fault[]> {
    this.#nesting++;
    const faults: Fault[] = [];
    for (const part of this.#partsInOrder(root)) {
      yield;
      if (!part) continue;
      this.spend(this.#nesting);
      for (const found of this.#findFaults(part))
        if (found) faults.push(this.#faultOf(part, found));
        else yield;
      if (faults.length >= limit) break;
    }
    this.#nesting--;
    return faults.slice(0, limit);
  }

  /** Alternatives quote inner details, so each detail is shortened before it is quoted. */
  #faultOf(part: Part, { member, detail }: PartFault): Fault {
    const pointer = pointerTo(part, member);
    this.spend(stepsOfText(pointer.length));
    return { pointer, detail: shortDetail(detail) };
  }

  *#findFaults(part: Part): Steps<PartFault> {
    if (part.schema === false) yield { detail: 'is not allowed here' };
    if (!isChecked(part)) return;
    for (const keyword of keywords) yield* keyword(part, this.spend);
    yield* this.#unknownMembers(part);
    yield* this.#memberNames(part);
    yield* this.#pattern(part);
    yield* this.#alternatives(part);
  }

  *#pattern({ schema: { pattern }, value }: CheckedPart): Steps<PartFault> {
    if (pattern === undefined || typeof value !== 'string') return;
    if (!(yield* this.#matches(pattern, value)))
      yield { detail: `does not match the pattern ${pattern}` };
  }

  *#unknownMembers({ schema, value }: CheckedPart): Steps<PartFault> {
    if (schema.additionalProperties !== false || !isJsonObject(value)) return;
    let found = 0;
    for (const member of Object.keys(value)) {
      this.spend(1);
      if (yield* this.#isNamed(schema, member)) continue;
      yield { member, detail: 'is not allowed here' };
      if (++found === contractLimits.faults) return;
    }
  }

  *#memberNames(part: CheckedPart): Steps<PartFault> {
    const { propertyNames: schema } = part.schema;
    if (schema === undefined || !isJsonObject(part.value)) return;
    for (const name of Object.keys(part.value)) {
      const [fault] = yield* this.faults({ schema, value: name, within: part, name }, 1);
      if (fault) yield { member: name, detail: `has a name that ${fault.detail}` };
    }
  }

  *#alternatives(part: CheckedPart): Steps<PartFault> {
    const { anyOf, oneOf, not } = part.schema;
    if (anyOf) yield* this.#oneAtLeast(part, anyOf);
    if (oneOf) yield* this.#exactlyOne(part, oneOf);
    if (not === undefined) return;
    const faults = yield* this.faults(alternativeTo(part, not), 1);
    // prose-ignore: stored in events
    if (faults.length === 0) yield { detail: 'is what the schema excludes with not' };
  }

  *#oneAtLeast(part: CheckedPart, schemas: readonly Subschema[]): Steps<PartFault> {
    const faults: Fault[] = [];
    for (const schema of schemas) {
      const [fault] = yield* this.faults(alternativeTo(part, schema), 1);
      if (!fault) return;
      faults.push(fault);
    }
    yield { detail: fitsNone(faults) };
  }

  *#exactlyOne(part: CheckedPart, schemas: readonly Subschema[]): Steps<PartFault> {
    const faults: Fault[] = [];
    const fitting: number[] = [];
    for (const [at, schema] of schemas.entries()) {
      const [fault] = yield* this.faults(alternativeTo(part, schema), 1);
      if (fault) faults.push(fault);
      else fitting.push(at + 1);
      if (fitting.length > 1) break;
    }
    if (fitting.length === 0) yield { detail: fitsNone(faults) };
    if (fitting.length > 1)
      yield { detail: `fits alternatives ${fitting.join(' and ')} of oneOf, and may fit only one` };
  }

  /** A part and all parts within it to which a schema applies, outer ones first. */
  *#partsInOrder(root: Part): Steps<Part> {
    yield root;
    const references = new References(this.root);
    const holders = [root];
    for (const holder of holders) {
      if (!isChecked(holder)) continue;
      for (const part of this.#partsOf(holder, references)) {
        yield part;
        if (part && leadsOn(part)) holders.push(part);
      }
    }
  }

  *#partsOf(part: CheckedPart, references: References): Steps<Part> {
    yield* references.partsAt(part);
    const { value } = part;
    if (isList(value)) yield* entriesOf(part, value);
    else if (isJsonObject(value)) yield* this.#membersOf(part, value);
  }

  *#membersOf(within: CheckedPart, value: JsonObject): Steps<Part> {
    for (const [name, schema] of discriminatorsFirst(within.schema)) {
      this.spend(1);
      const member = memberOf(value, name);
      if (member !== undefined) yield { schema, value: member, within, name };
    }
    yield* this.#othersOf(within, value);
  }

  /** Members that match `patternProperties`, or that `additionalProperties` covers. */
  *#othersOf(within: CheckedPart, value: JsonObject): Steps<Part> {
    const { patternProperties, additionalProperties: rest } = within.schema;
    const others = typeof rest === 'object' ? rest : undefined;
    if (!patternProperties && !others) return;
    for (const [name, member] of Object.entries(value)) {
      this.spend(1);
      for (const schema of yield* this.#byPattern(patternProperties, name))
        yield { schema, value: member, within, name };
      if (others && !(yield* this.#isNamed(within.schema, name)))
        yield { schema: others, value: member, within, name };
    }
  }

  *#byPattern(patterns: ValueSchema['patternProperties'] = {}, name: string) {
    const found: Subschema[] = [];
    for (const [pattern, schema] of Object.entries(patterns))
      if (yield* this.#matches(pattern, name)) found.push(schema);
    return found;
  }

  /** Whether properties or a pattern name a member. */
  *#isNamed({ properties = {}, patternProperties = {} }: ValueSchema, name: string) {
    if (Object.hasOwn(properties, name)) return true;
    for (const pattern of Object.keys(patternProperties))
      if (yield* this.#matches(pattern, name)) return true;
    return false;
  }

  *#matches(source: string, text: string): Generator<undefined, boolean> {
    const known = this.#patterns.get(source);
    const pattern = known ?? compilePattern(source, contractLimits.patternSize);
    if (!known) {
      this.spend(pattern.size);
      this.#patterns.set(source, pattern);
      yield* compileClasses(pattern, this.spend);
    }
    return yield* matchesPattern(pattern, text, this.spend);
  }
}

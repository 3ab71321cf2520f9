import { z } from 'zod';

type Schema = z.core.$ZodType;

/** The names of the members that a schema knows at a place of a value; of several kinds, those of all of them. */
export function knownMembers(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  let schemas: readonly Schema[] = [schema];
  for (const step of path) schemas = schemas.flatMap((each) => schemasAt(each, step));
  return [...new Set(schemas.flatMap(membersOf))];
}

function schemasAt(schema: Schema, step: PropertyKey): readonly Schema[] {
  if (schema instanceof z.core.$ZodObject) {
    const { shape } = schema._zod.def;
    return typeof step === 'string' && Object.hasOwn(shape, step) ? [shape[step] as Schema] : [];
  }
  if (schema instanceof z.core.$ZodArray) return [schema._zod.def.element];
  if (schema instanceof z.core.$ZodRecord) return [schema._zod.def.valueType];
  return kindsOf(schema).flatMap((kind) => schemasAt(kind, step));
}

function membersOf(schema: Schema): readonly string[] {
  if (schema instanceof z.core.$ZodObject) return Object.keys(schema._zod.def.shape);
  return kindsOf(schema).flatMap(membersOf);
}

/** The schemas of which a value has one; none for what holds no others in its own place. */
function kindsOf(schema: Schema): readonly Schema[] {
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options;
  if (schema instanceof z.core.$ZodPipe) return [schema._zod.def.in, schema._zod.def.out];
  const { def } = schema._zod;
  return 'innerType' in def && def.innerType instanceof z.core.$ZodType ? [def.innerType] : [];
}

/** What documents that others keep call members of ours, in the order in which they are tried. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  reasoning: ['rationale', 'reason'],
  justification: ['rationale', 'reason'],
  why: ['rationale', 'reason'],
  alternatives: ['alternativesConsidered'],
  madeby: ['agentId'],
  author: ['agentId'],
  agent: ['agentId'],
  from: ['agentId'],
  step: ['stepId'],
  data: ['output'],
  result: ['output'],
  value: ['output'],
  implementationsummary: ['summary'],
  message: ['note', 'reason', 'detail'],
  text: ['note', 'body', 'description', 'detail'],
  source: ['path', 'sources'],
  type: ['kind', 'artifactType'],
  risk: ['description'],
  issues: ['keyIssues'],
  feedback: ['keyIssues'],
  blockers: ['blockerId'],
  featureid: ['contextId'],
  featurename: ['title'],
  sessionid: ['contextId'],
  workflowid: ['contextId'],
  name: ['title'],
  id: ['contextId', 'decisionId', 'taskId', 'handoverId', 'riskId', 'artifactId', 'reviewId'],
};

/** A longer name is not compared: nobody mistypes one. */
const longestName = 64;

/** The known name that somebody who wrote this one probably meant; undefined if none is near. */
export function nearestMember(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined;
  const plain = plainName(name);
  const same = known.find((each) => plainName(each) === plain);
  if (same !== undefined) return same;
  const meant = Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? []) : [];
  const other = meant.find((each) => known.includes(each));
  return other ?? nearest(plain, known);
}

/** Without case and separators: `min_length` is `minLength`. */
function plainName(name: string): string {
  return name.replaceAll(/[_\s-]/g, '').toLowerCase();
}

function nearest(plain: string, known: readonly string[]): string | undefined {
  const most = plain.length < 4 ? 1 : plain.length < 8 ? 2 : 3;
  const [best] = known
    .filter((each) => each.length <= longestName)
    .map((each) => ({ each, distance: editDistance(plain, plainName(each)) }))
    .filter(({ each, distance }) => distance <= most && distance * 2 < each.length)
    .toSorted((left, right) => left.distance - right.distance);
  return best?.each;
}

/** How many characters have to be added, left out or replaced (Levenshtein). */
function editDistance(left: string, right: string): number {
  let before = Array.from({ length: right.length + 1 }, (_, n) => n);
  for (const [row, character] of [...left].entries()) {
    const now = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (before[column] ?? 0) + (character === other ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}

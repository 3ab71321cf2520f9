import { type ContextReader } from '#read-models';
import { type ContextHead, RuleViolationError } from '#shared-context';

/** A read follows all nested restores and forks of a version: this limits its cost. */
const maxNested = 1_000;

/** The refusal of a restore or fork that would exceed the limit of nesting; undefined if it does not. */
export async function refuseNesting(
  reader: ContextReader,
  head: ContextHead,
  {
    version,
    pointer,
    limit = maxNested,
  }: Readonly<{ version: number; pointer: string; limit?: number }>,
): Promise<RuleViolationError | undefined> {
  if (head.lineage === null || version > head.version) return undefined;
  if ((await reader.depth(head, version)) < limit) return undefined;
  return new RuleViolationError(
    pointer,
    `depends on ${limit} nested restores and forks: use an earlier version`,
  );
}

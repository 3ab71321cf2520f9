import { type ContextReader } from '#read-models';
import { type ContextHead, RuleViolationError } from '#shared-context';

/** A read looks up every restore and fork that a version stands on, one in another: this bounds what it costs. */
const maxNested = 1_000;

/** The refusal of a restore or fork that would stand on too many others; undefined if it does not. */
export async function refuseDeeper(
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
    `stands on ${limit} restores and forks, one in another: go back to an earlier version`,
  );
}

import {
  type ItemKey,
  type ItemLookup,
  derivedFacts,
  derivedKey,
  namedKey,
  stepOutputKey,
} from '#shared-context';
import { type Transformation, type TransformationSet } from '#transformations';

/** The items that tell whether the trigger of a transformation has happened. */
export function triggerKeys(
  { trigger: { step, agent, transformation } }: Transformation,
  set: TransformationSet,
): readonly ItemKey[] {
  if (step !== undefined) return [stepOutputKey(step)];
  if (agent !== undefined) return [namedKey(`after:${agent}`)];
  const [first] = set.find(transformation ?? '')?.destinations ?? [];
  return first ? [derivedKey(first.path)] : [];
}

/** Whether the trigger has happened, in this write or any before: from then on every change of a source counts. */
export function hasHappened(
  transformation: Transformation,
  set: TransformationSet,
  current: ItemLookup,
): boolean {
  if (wasDerived(transformation, current)) return true;
  return triggerKeys(transformation, set).some(({ kind, key }) => current(kind, key) !== undefined);
}

/** Whether the places of a transformation hold what it said itself. */
export function wasDerived(
  { transformationId, destinations }: Transformation,
  current: ItemLookup,
): boolean {
  return destinations.some(({ path }) => {
    const item = current('derived', path);
    return item !== undefined && derivedFacts(item).transformation === transformationId;
  });
}

import {
  type ItemKey,
  type ItemLookup,
  derivedFacts,
  derivedKey,
  namedKey,
  stepOutputKey,
} from '#shared-context';
import { type Transformation, type TransformationSet } from '#transformations';

/** The keys of the items that show whether the trigger of a transformation has happened. */
export function triggerKeys(
  { trigger: { step, agent, transformation } }: Transformation,
  set: TransformationSet,
): readonly ItemKey[] {
  if (step !== undefined) return [stepOutputKey(step)];
  if (agent !== undefined) return [namedKey(`after:${agent}`)];
  const [first] = set.find(transformation ?? '')?.destinations ?? [];
  return first ? [derivedKey(first.path)] : [];
}

/**
 * Whether the trigger has happened, in this write or earlier: from then on, every change of a source derives the value
 * again.
 */
export function hasHappened(
  transformation: Transformation,
  set: TransformationSet,
  current: ItemLookup,
): boolean {
  if (wasDerived(transformation, current)) return true;
  return triggerKeys(transformation, set).some(({ kind, key }) => current(kind, key) !== undefined);
}

/** Whether some destination of a transformation has a value that this transformation derived. */
export function wasDerived(
  { transformationId, destinations }: Transformation,
  current: ItemLookup,
): boolean {
  return destinations.some(({ path }) => {
    const item = current('derived', path);
    return item !== undefined && derivedFacts(item).transformation === transformationId;
  });
}

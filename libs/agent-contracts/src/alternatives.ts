import { type Fault } from './value-part.js';

/** Maximum number of alternatives whose faults are listed. */
const maxAlternatives = 3;

/** Describes why a value fits no alternative, by the first fault of each. */
export function fitsNone(faults: readonly Fault[]): string {
  const shown = faults
    .slice(0, maxAlternatives)
    .map(({ pointer, detail }, at) => `${at + 1}: ${pointer === '' ? '' : `${pointer} `}${detail}`);
  const more = faults.length > maxAlternatives ? '; …' : '';
  return `fits none of the ${faults.length} alternatives (${shown.join('; ')}${more})`;
}

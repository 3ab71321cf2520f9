import { lengthOf } from '../entries/standing-part.js';
import { type ViewSource } from './layout.js';

/** As long as somebody has the source. */
const sizes = new WeakMap<ViewSource, number>();

/** Estimated tokens of everything that a source gives views to tell, whole: a quarter of its characters. */
export function sizeOfSource(source: ViewSource): number {
  const size = sizes.get(source) ?? sumOf(source);
  sizes.set(source, size);
  return size;
}

function sumOf({ timeline, standing }: ViewSource): number {
  const characters = standing.reduce((sum, part) => sum + lengthOf(part), 0);
  return timeline.sizes.reduce((sum, size) => sum + size, Math.ceil(characters / 4));
}

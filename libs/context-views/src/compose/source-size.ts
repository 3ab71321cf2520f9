import { lengthOf } from '../entries/standing-part.js';
import { type ViewSource } from './layout.js';

/** Estimated tokens of everything that a source gives views to tell, whole: a quarter of its characters. */
export function sizeOfSource({ timeline, standing }: ViewSource): number {
  const characters = standing.reduce((sum, part) => sum + lengthOf(part), 0);
  return timeline.sizes.reduce((sum, size) => sum + size, Math.ceil(characters / 4));
}

/** UTF-16 code units that are searched in one step. */
const charactersPerStep = 64;

/** The number of steps to search a text. */
export function stepsOfText(length: number): number {
  return Math.ceil(length / charactersPerStep);
}

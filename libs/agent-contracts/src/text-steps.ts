/** UTF-16 units that are looked through in one step. */
const charactersPerStep = 64;

/** What looking through a text takes. */
export function stepsOfText(length: number): number {
  return Math.ceil(length / charactersPerStep);
}

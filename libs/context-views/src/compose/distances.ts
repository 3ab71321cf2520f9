/** A part of the budget: forms change together, once so much was added. */
export const quantaInBudget = 4;
const mostInQuantum = 2;

/**
 * How far each entry lies behind the newest, in estimated tokens, the oldest first. Counted from the last whole quantum
 * before the newest entry, so that it stays what it is until a quantum is full; negative behind that.
 */
export function distancesOf(sizes: Float64Array, budgetTokens: number): Float64Array {
  const quantum = quantumOf(budgetTokens);
  // What is larger than a part of the budget is never shown whole for long, and must not push out all before it.
  const most = quantum / mostInQuantum;
  const counted = (size: number | undefined) => Math.min(size ?? 0, most);
  const all = sizes.reduce((sum, size) => sum + counted(size), 0);
  const before = all - counted(sizes.at(-1));
  const edge = Math.floor(before / quantum) * quantum;
  let end = 0;
  return sizes.map((size) => edge - (end += counted(size)));
}

function quantumOf(budgetTokens: number): number {
  return Math.max(64, Math.floor(budgetTokens / quantaInBudget));
}

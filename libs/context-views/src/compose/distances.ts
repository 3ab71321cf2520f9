/** A part of the budget: forms change together, once so much was added. */
const quantaInBudget = 4;
const mostInQuantum = 2;

/**
 * How far each entry lies behind the newest, in estimated tokens, the oldest first. Counted from the last whole quantum
 * before the newest entry, so that it stays what it is until a quantum is full; negative behind that.
 */
export function distancesOf(sizes: readonly number[], budgetTokens: number): readonly number[] {
  const quantum = quantumOf(budgetTokens);
  // What is larger than a part of the budget is never shown whole for long, and must not push out all before it.
  const counted = sizes.map((size) => Math.min(size, quantum / mostInQuantum));
  const all = counted.reduce((sum, size) => sum + size, 0);
  const before = all - (counted.at(-1) ?? 0);
  const edge = Math.floor(before / quantum) * quantum;
  let end = 0;
  return counted.map((size) => edge - (end += size));
}

export function quantumOf(budgetTokens: number): number {
  return Math.max(64, Math.floor(budgetTokens / quantaInBudget));
}

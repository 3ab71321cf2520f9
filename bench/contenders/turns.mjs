/** How many steps a context, stream or thread gets before its client begins the next. */
export const stepsPerContext = 100;

/** Whose turn it is: each client fills contexts of its own, one after another. */
export function takeTurns(prefix) {
  const turns = new Map();
  return (client) => {
    const before = turns.get(client) ?? { context: 0, step: 0 };
    const turn =
      before.step < stepsPerContext
        ? { context: before.context, step: before.step + 1 }
        : { context: before.context + 1, step: 1 };
    turns.set(client, turn);
    return { context: `${prefix}-${client}-${turn.context}`, step: turn.step };
  };
}

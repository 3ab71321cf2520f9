/** The number of steps in a context, stream or thread before its client begins the next. */
export const stepsPerContext = 100;

/** Assigns steps: each client fills its own contexts, one after another. */
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

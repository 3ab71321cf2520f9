const brief = 'What the work is about, in words that no step changes. '.repeat(200);
const note = 'What a step has found out, in a few sentences. '.repeat(10);

/** One node that runs again until it has run `until` times. */
export const graphs = {
  // 11 kB that stay, and 500 bytes that each step replaces.
  'a state that is replaced': (langgraph) =>
    loop(langgraph, { note: langgraph.Annotation() }, (count) => ({ note: `${count} ${note}` })),
  // The list is a channel, so that savers store all of it again with each step.
  'a list that grows by 200 B': (langgraph) =>
    loop(
      langgraph,
      {
        notes: langgraph.Annotation({
          reducer: (left, right) => [...left, ...right],
          default: () => [],
        }),
      },
      (count) => ({ notes: [`${count} ${note}`.slice(0, 200)] }),
    ),
};

function loop({ Annotation, END, START, StateGraph }, channels, work) {
  const state = Annotation.Root({
    ...{ until: Annotation(), count: Annotation(), brief: Annotation() },
    ...channels,
  });
  return new StateGraph(state)
    .addNode('work', ({ count = 0, brief: known }) => ({
      count: count + 1,
      ...(known === undefined && { brief }),
      ...work(count),
    }))
    .addEdge(START, 'work')
    .addConditionalEdges('work', ({ count, until }) => (count < until ? 'work' : END));
}

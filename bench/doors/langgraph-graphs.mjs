const syllables = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'ze'];

/** Text of this length that compresses like prose; the same for the same seed. */
function prose(length, seed) {
  let [text, state] = ['', seed + 1];
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += state % 3 === 0 ? ' ' : syllables[state % syllables.length];
  }
  return text.slice(0, length);
}

const brief = prose(11_000, 0);

/** One node that repeats until it has run `until` times. */
export const graphs = {
  // 11 kB of constant state, and 500 bytes that each step replaces.
  'a state that is replaced': (langgraph) =>
    loop(langgraph, { note: langgraph.Annotation() }, (count) => ({ note: prose(500, count) })),
  // The list is a channel, so that savers store all of it at each step.
  'a list that grows by 200 B': (langgraph) =>
    loop(
      langgraph,
      {
        notes: langgraph.Annotation({
          reducer: (left, right) => [...left, ...right],
          default: () => [],
        }),
      },
      (count) => ({ notes: [prose(200, count)] }),
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

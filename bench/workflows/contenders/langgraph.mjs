import { openPool } from '../../connections.mjs';

const shortest = 10;

/**
 * A graph of one node that routes back to itself. Its state is the newest output, or the list of all outputs. Each
 * checkpoint is stored before the next step begins.
 */
export async function openLangGraph(connectionString, { connections, grows }) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  const saver = new PostgresSaver(openPool(connectionString, connections));
  await saver.setup();
  const state = await stateOf(grows);
  return {
    shortest,
    run: async (steps, visit) => {
      const graph = await compile({ state, saver, steps, output: visit });
      await graph.invoke(
        {},
        {
          configurable: { thread_id: crypto.randomUUID() },
          ...{ recursionLimit: steps + 10, durability: 'sync' },
        },
      );
    },
    settle: async () => {},
    close: () => saver.end(),
  };
}

async function stateOf(grows) {
  const { Annotation } = await import('@langchain/langgraph');
  return Annotation.Root({
    output: grows
      ? Annotation({ reducer: (before, more) => [...before, more], default: () => [] })
      : Annotation(),
  });
}

/** The steps are counted outside of the state, so that the state contains outputs only. */
async function compile({ state, saver, steps, output }) {
  const { END, START, StateGraph } = await import('@langchain/langgraph');
  let done = 0;
  return new StateGraph(state)
    .addNode('work', () => ((done += 1), { output: output() }))
    .addEdge(START, 'work')
    .addConditionalEdges('work', () => (done < steps ? 'work' : END), ['work', END])
    .compile({ checkpointer: saver });
}

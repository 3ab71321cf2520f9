import { randomUUID } from 'node:crypto';

import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { ParentNotHeadError, ThroughlineSaver, ThroughlineStore } from '@throughline/langgraph';
import { beforeEach, describe, expect, it } from 'vitest';

import { openClient } from './open-client.js';

const state = Annotation.Root({
  topic: Annotation<string>,
  notes: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

const draft = Annotation.Root({ topic: Annotation<string>, notes: Annotation<string[]> });

let saver: ThroughlineSaver;
let config: { configurable: { thread_id: string } };

beforeEach(() => {
  saver = new ThroughlineSaver({ client: openClient() });
  config = { configurable: { thread_id: randomUUID() } };
});

describe('a graph', () => {
  it('can be interrupted, and resumed by another process', async () => {
    const asked = await interruptedGraph(saver).invoke({ topic: 'login' }, config);
    expect(asked).toMatchObject({ __interrupt__: [{ value: 'May login go on?' }] });
    const resumed = interruptedGraph(new ThroughlineSaver({ client: openClient() }));
    const { next } = await resumed.getState(config);
    expect(next).toEqual(['ask']);
    const result = await resumed.invoke(new Command({ resume: 'yes' }), config);
    expect(result).toEqual({ topic: 'login', notes: ['planned', 'answered yes', 'done'] });
  });

  it.each(['async', 'sync', 'exit'] as const)(
    'has the same history as with the saver of LangGraph, with durability %s',
    async (durability) => {
      const histories: unknown[] = [];
      for (const checkpointer of [new MemorySaver(), saver]) {
        const graph = branchingGraph(checkpointer);
        for (const topic of ['login', 'logout'])
          await graph.invoke({ topic }, { ...config, durability });
        const snapshots = await Array.fromAsync(graph.getStateHistory(config));
        histories.push(
          snapshots.map(({ values, next, metadata, tasks }) => ({
            values,
            next,
            step: metadata?.step,
            source: metadata?.source,
            tasks: tasks.map(({ name, result }) => ({ name, result })),
          })),
        );
      }
      expect(histories[1]).toEqual(histories[0]);
    },
  );

  it('loses no refused run: one of two concurrent runs continues, and the other one gets an error', async () => {
    await branchingGraph(saver).invoke({ topic: 'begun' }, config);
    const runs = ['one', 'two'].map((topic) => {
      const checkpointer = new ThroughlineSaver({ client: openClient() });
      return branchingGraph(checkpointer).invoke({ topic }, config);
    });
    const results = await Promise.allSettled(runs);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { name: 'ParentNotHeadError' } }]);
    const topic = results[0]?.status === 'fulfilled' ? 'one' : 'two';
    expect((await branchingGraph(saver).getState(config)).values).toMatchObject({ topic });
  });

  it('can be rewound in a copy of its thread', async () => {
    const graph = branchingGraph(saver);
    await graph.invoke({ topic: 'login' }, config);
    const snapshots = await Array.fromAsync(graph.getStateHistory(config));
    const planned = snapshots.find(({ next }) => next.includes('write'));
    if (!planned) throw new Error('the graph has no such step');
    await expect(graph.invoke(null, planned.config)).rejects.toThrow(ParentNotHeadError);
    const copied = await saver.copyCheckpoint(planned.config, randomUUID());
    const { thread_id } = copied.configurable;
    expect(await graph.invoke(null, { configurable: { thread_id } })).toEqual(
      (await graph.getState(config)).values,
    );
  });

  it('stores its memory in a store', async () => {
    const store = new ThroughlineStore({ client: openClient(), prefix: `${randomUUID()}.` });
    const graph = new StateGraph(state)
      .addNode('remember', async ({ topic }, { store: memory }) => {
        await memory?.put(['memories', 'user-1'], topic, { topic });
        const items = (await memory?.search(['memories'])) ?? [];
        return { notes: items.map(({ key }) => key) };
      })
      .addEdge(START, 'remember')
      .addEdge('remember', END)
      .compile({ checkpointer: saver, store });
    await graph.invoke({ topic: 'login' }, config);
    const again = { configurable: { thread_id: randomUUID() } };
    expect((await graph.invoke({ topic: 'logout' }, again)).notes).toEqual(['logout', 'login']);
  });
});

function interruptedGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(state)
    .addNode('plan', () => ({ notes: ['planned'] }))
    .addNode('ask', ({ topic }) => ({ notes: [`answered ${interrupt(`May ${topic} go on?`)}`] }))
    .addNode('finish', () => ({ notes: ['done'] }))
    .addEdge(START, 'plan')
    .addEdge('plan', 'ask')
    .addEdge('ask', 'finish')
    .addEdge('finish', END)
    .compile({ checkpointer });
}

/** Parallel tasks, a subgraph with its own state, and tasks that are sent. */
function branchingGraph(checkpointer: BaseCheckpointSaver) {
  const writer = new StateGraph(draft)
    .addNode('outline', ({ topic }) => ({ notes: [`outline of ${topic}`] }))
    .addNode('text', ({ notes }) => ({ notes: [...notes, 'text'] }))
    .addEdge(START, 'outline')
    .addEdge('outline', 'text')
    .addEdge('text', END)
    .compile();
  return new StateGraph(state)
    .addNode('plan', () => ({ notes: ['planned'] }))
    .addNode('write', writer)
    .addNode('check', () => ({ notes: ['checked'] }))
    .addNode('review', ({ topic }) => ({ notes: [`reviewed ${topic}`] }))
    .addEdge(START, 'plan')
    .addEdge('plan', 'write')
    .addEdge('plan', 'check')
    .addConditionalEdges('check', ({ topic }) =>
      ['a', 'b'].map((part) => new Send('review', { topic: `${topic} ${part}` })),
    )
    .addEdge('review', END)
    .compile({ checkpointer });
}

// Two people ask a graph for one story at the same time. Both runs begin at the same checkpoint. The slower run is refused, and
// runs again from the checkpoint of the other one. No write is lost.
//
//   THROUGHLINE_URL=http://127.0.0.1:3000 THROUGHLINE_KEY=… node story-writer.ts
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { ParentNotHeadError, ThroughlineSaver, ThroughlineStore } from '@throughline/langgraph';
import { Throughline } from '@throughline/sdk';

const client = Throughline.fromEnvironment();
const saver = new ThroughlineSaver({ client });
const store = new ThroughlineStore({ client });

const story = Annotation.Root({
  topic: Annotation<string>,
  lines: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

const graph = new StateGraph(story)
  .addNode('outline', ({ topic }) => ({ lines: [`outline of ${topic}`] }))
  .addNode('write', async ({ topic }, { store: memory }) => {
    await memory?.put(['topics'], topic, { written: true });
    return { lines: [`text about ${topic}`] };
  })
  .addEdge(START, 'outline')
  .addEdge('outline', 'write')
  .addEdge('write', END)
  .compile({ checkpointer: saver, store });

const threadId = `story-${Date.now()}`;
const config = { configurable: { thread_id: threadId } };

await graph.invoke({ topic: 'login' }, config);
const { config: head } = await graph.getState(config);
await Promise.all(['password', 'passkey'].map((topic) => ask(topic, head)));

const { values } = await graph.getState(config);
const topics = await store.search(['topics']);
process.stdout.write(`context ${saver.contextId(threadId)}\n${values.lines.join('\n')}\n`);
process.stdout.write(`topics: ${topics.map(({ key }) => key).join(', ')}\n`);

async function ask(topic: string, from: typeof head): Promise<void> {
  try {
    await graph.invoke({ topic }, from);
  } catch (error) {
    if (!(error instanceof ParentNotHeadError)) throw error;
    process.stdout.write(`${topic} has to wait for another run\n`);
    await ask(topic, config);
  }
}

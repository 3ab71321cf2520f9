import { openPool } from '../../connections.mjs';
import { openCountingProxy } from '../counting-proxy.mjs';
import { sampleInTurn } from '../latencies.mjs';
import { longContext } from '../long-context.mjs';

const warmUps = 1;

/** The same content as the messages of a LangGraph thread: loaded by `getTuple`, trimmed by `trimMessages`. */
export async function measureLangGraph(given) {
  if (given.peerFault) return undefined;
  const connectionString = await given.databases.create('views_langgraph');
  const saver = await openSaver(connectionString);
  await saver.setup();
  for (const steps of given.steps) await put(saver, steps, given);
  const cells = given.steps.flatMap((steps) => cellsOf(saver, steps, given));
  const measured = await sampleInTurn(cells, given.peerSamples, warmUps);
  await saver.end();
  const bytes = await bytesRead(given, connectionString);
  return { bytes, cells: measured.map(({ answer: _, ...cell }) => cell) };
}

async function openSaver(connectionString) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  return new PostgresSaver(openPool(connectionString, 1));
}

async function put(saver, steps, { texts, decisions }) {
  const { AIMessage } = await import('@langchain/core/messages');
  const { uuid6 } = await import('@langchain/langgraph-checkpoint');
  const events = longContext({ contextId: idOf(steps), steps, texts, decisions });
  const messages = [...events].slice(1).map(
    ({ agent, data }) =>
      new AIMessage({
        name: agent,
        content: data.output ?? `${data.decision}\n${data.rationale}`,
      }),
  );
  const checkpoint = {
    ...{ v: 4, id: uuid6(steps), ts: new Date().toISOString(), versions_seen: {} },
    ...{ channel_values: { messages }, channel_versions: { messages: '1.0' } },
  };
  const metadata = { source: 'loop', step: steps, parents: {} };
  await saver.put(configOf(steps), checkpoint, metadata, { messages: '1.0' });
}

function cellsOf(saver, steps, given) {
  const load = async () => (await saver.getTuple(configOf(steps))).checkpoint.channel_values;
  const trimmed = async () => trim((await load()).messages, given);
  return [
    { steps, what: 'getTuple', run: load },
    { steps, what: 'getTuple and trimMessages', run: trimmed },
  ];
}

/** Counts with the same tokenizer, each message once: the rest of the time is its own. */
async function trim(messages, { build, budget }) {
  const { trimMessages } = await import('@langchain/core/messages');
  const tokenizer = build.tokenizerOf('o200k_base');
  const known = new Map();
  const tokensOf = (message) => {
    const counted = known.get(message.content) ?? tokenizer.unitsOf(message.content);
    known.set(message.content, counted);
    return counted;
  };
  return trimMessages(messages, {
    ...{ maxTokens: budget, strategy: 'last' },
    tokenCounter: (some) => some.reduce((sum, message) => sum + tokensOf(message), 0),
  });
}

async function bytesRead({ steps }, connectionString) {
  const proxy = await openCountingProxy(connectionString);
  const saver = await openSaver(proxy.connectionString);
  const measured = [];
  await saver.getTuple(configOf(steps[0]));
  for (const count of steps) {
    proxy.taken();
    await saver.getTuple(configOf(count));
    measured.push({ steps: count, bytes: proxy.taken() });
  }
  await saver.end();
  await proxy.close();
  return measured;
}

function configOf(steps) {
  return { configurable: { thread_id: idOf(steps), checkpoint_ns: '' } };
}

function idOf(steps) {
  return `of-${steps}`;
}

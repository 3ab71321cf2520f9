import { openPool } from '../connections.mjs';
import { takeTurns } from './turns.mjs';

/** LangGraph's checkpointer: a checkpoint per step, with one new channel for the step's output. */
export async function openLangGraph({ connectionString, outputs, name, clients }) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
  const { uuid6 } = await import('@langchain/langgraph-checkpoint');
  const saver = new PostgresSaver(openPool(connectionString, clients));
  await saver.setup();
  const next = takeTurns('thread');
  const threads = new Map();
  let stored = 0;
  return {
    name,
    connectionString,
    stored: () => stored,
    request: async (client) => {
      const { context, step } = next(client);
      const thread = step === 1 ? newThread(context) : threads.get(client);
      threads.set(client, thread);
      const channel = `step-${step}`;
      const version = `${step}.0`;
      thread.checkpoint = {
        v: 4,
        id: uuid6(step),
        ts: new Date().toISOString(),
        channel_values: {
          ...thread.checkpoint.channel_values,
          [channel]: outputs[stored++ % outputs.length].output,
        },
        channel_versions: { ...thread.checkpoint.channel_versions, [channel]: version },
        versions_seen: thread.checkpoint.versions_seen,
      };
      const metadata = { source: 'loop', step, parents: {} };
      thread.config = await saver.put(thread.config, thread.checkpoint, metadata, {
        [channel]: version,
      });
    },
    close: () => saver.end(),
  };
}

function newThread(id) {
  return {
    config: { configurable: { thread_id: id, checkpoint_ns: '' } },
    checkpoint: { channel_values: {}, channel_versions: {}, versions_seen: {} },
  };
}

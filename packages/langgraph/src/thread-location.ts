import { type BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';

/** `RunnableConfig` of LangChain. */
export type RunConfig = Parameters<BaseCheckpointSaver['getTuple']>[0];

type ThreadLocation = Readonly<{
  threadId: string | undefined;
  /** Empty outside of subgraphs. */
  namespace: string;
}>;

/** Returns the thread and the namespace of a config. */
export function threadLocation({ configurable = {} }: RunConfig): ThreadLocation {
  const threadId = textOf(configurable, 'thread_id');
  if (threadId === '') throw new Error('thread_id must not be empty.');
  return { threadId, namespace: textOf(configurable, 'checkpoint_ns') ?? '' };
}

/** Throws if the config names no thread. `what`: the data to write, for the error. */
export function requireThread(config: RunConfig, what: string) {
  const { threadId, namespace } = threadLocation(config);
  if (threadId === undefined)
    throw new Error(
      `The ${what} cannot be stored without a thread: pass { configurable: { thread_id: "…" } } to the graph.`,
    );
  return { threadId, namespace };
}

function textOf(
  configurable: Readonly<Record<string, unknown>>,
  name: 'thread_id' | 'checkpoint_ns',
): string | undefined {
  const value = configurable[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new Error(`${name} must be a string.`);
}

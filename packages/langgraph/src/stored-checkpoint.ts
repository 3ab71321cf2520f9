import { type ChannelVersions } from '@langchain/langgraph-checkpoint';

import { type StoredOutput } from './context-log.js';
import { stepIdOf } from './encoded-id.js';
import { type Encoded } from './value-codec.js';

/** The step whose latest output is the head of a namespace; in the document of the context, it is the state of the graph. */
export function checkpointStep(namespace: string): string {
  return namespace === '' ? 'langgraph' : stepIdOf('langgraph:', namespace);
}

export const writesStep = 'langgraph-writes';
export const partsStep = 'langgraph-parts';

/** The output of a {@link checkpointStep}. */
export type StoredCheckpoint = Readonly<{
  ns: string;
  id: string;
  parent?: string;
  /** The checkpoint without its values and their versions. */
  checkpoint: Encoded;
  metadata: Encoded;
  versions: ChannelVersions;
  /** The values that this checkpoint has changed, by channel. */
  values: Readonly<Record<string, Encoded>>;
  /** Where the other values are: the versions of the context at which checkpoints changed them, by channel. */
  held: Readonly<Record<string, number>>;
  /** Versions of writes of tasks that were stored before the checkpoint itself. */
  early?: readonly number[];
}>;

/** The output of {@link writesStep}: what one task has written, each as index, channel and value. */
export type StoredWrites = Readonly<{
  ns: string;
  checkpoint: string;
  task: string;
  path: string;
  writes: readonly (readonly [number, string, Encoded])[];
}>;

/** The output of a {@link checkpointStep} that ends the thread: what is older is history, and no longer of the thread. */
export const deletedThread = { deleted: true } as const;

/** A checkpoint as it was found: with the version of the event that holds it. */
export type FoundCheckpoint = Readonly<{ version: number; stored: StoredCheckpoint }>;

export function isCheckpointStep(stepId: string): boolean {
  return stepId === 'langgraph' || stepId.startsWith('langgraph:');
}

/** Undefined if the output ends the thread, or is none of this adapter. */
export function checkpointOf({ version, output }: StoredOutput): FoundCheckpoint | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  return 'id' in output && 'held' in output
    ? { version, stored: output as StoredCheckpoint }
    : undefined;
}

export function writesOf({ stepId, output }: StoredOutput): StoredWrites | undefined {
  return stepId === writesStep ? (output as StoredWrites) : undefined;
}

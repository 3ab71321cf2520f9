import { type ChannelVersions } from '@langchain/langgraph-checkpoint';

import { type StoredOutput } from './context-log.js';
import { stepIdOf } from './encoded-id.js';
import { type EncodedValue } from './value-codec.js';

/** Returns the step whose latest output is the head of a namespace: the state of the graph in the document of the context. */
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
  checkpoint: EncodedValue;
  metadata: EncodedValue;
  versions: ChannelVersions;
  /** The values that this checkpoint has changed, by channel. */
  values: Readonly<Record<string, EncodedValue>>;
  /** The versions of the context at which the other values were changed, by channel. */
  held: Readonly<Record<string, number>>;
  /** The versions of writes of tasks that were stored before the checkpoint. */
  early?: readonly number[];
}>;

/** The output of {@link writesStep}: the writes of one task, each as index, channel and value. */
export type StoredWrites = Readonly<{
  ns: string;
  checkpoint: string;
  task: string;
  path: string;
  writes: readonly (readonly [number, string, EncodedValue])[];
}>;

/** The output of a {@link checkpointStep} that ends the thread: older checkpoints no longer belong to the thread. */
export const deletedThread = { deleted: true } as const;

/** A checkpoint with the version of its event. */
export type VersionedCheckpoint = Readonly<{ version: number; stored: StoredCheckpoint }>;

export function isCheckpointStep(stepId: string): boolean {
  return stepId === 'langgraph' || stepId.startsWith('langgraph:');
}

/** Returns undefined if the output ends the thread, or was not written by this adapter. */
export function checkpointOf({ version, output }: StoredOutput): VersionedCheckpoint | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  return 'id' in output && 'held' in output
    ? { version, stored: output as StoredCheckpoint }
    : undefined;
}

export function writesOf({ stepId, output }: StoredOutput): StoredWrites | undefined {
  return stepId === writesStep ? (output as StoredWrites) : undefined;
}

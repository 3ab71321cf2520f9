import { type ContextLog, type StoredOutput } from './context-log.js';
import { OutputWindow } from './output-window.js';
import {
  checkpointOf,
  checkpointStep,
  type VersionedCheckpoint,
  isCheckpointStep,
  type StoredWrites,
  writesOf,
} from './stored-checkpoint.js';

/** A checkpoint with the writes of its tasks, oldest first, and the reader of its values. */
export type CheckpointEntry = VersionedCheckpoint &
  Readonly<{ writes: readonly StoredWrites[]; window: OutputWindow }>;

const versionsPerRead = 200;

/** Returns the newest checkpoint of the namespace, with two requests regardless of the length of the thread. */
export async function readHead(
  log: ContextLog,
  namespace: string,
): Promise<CheckpointEntry | undefined> {
  const latest = await log.latest(checkpointStep(namespace));
  const head = latest?.output && checkpointOf(latest.output);
  if (!latest || !head) return undefined;
  const window = new OutputWindow(log);
  const later = latest.version > head.version ? await window.range(head.version) : [];
  const writes = later.map(writesOf).filter((stored) => belongsTo(head, stored));
  return { ...head, writes: [...(await earlyWrites(head, window)), ...writes], window };
}

/** Yields the checkpoints of a thread, newest first; of all namespaces unless one is given. Reads the history lazily. */
export async function* readHistory(
  log: ContextLog,
  namespace?: string,
): AsyncGenerator<CheckpointEntry> {
  const window = new OutputWindow(log);
  const page = new HistoryPage(window, namespace);
  const document = await log.read('_version');
  for (let to = document?._version ?? 0; to > 0; to -= versionsPerRead) {
    const outputs = await window.range(Math.max(0, to - versionsPerRead), to);
    for (const output of outputs.toReversed()) {
      const entry = await page.read(output);
      if (entry) yield entry;
    }
  }
}

/** Reads outputs from the newest to the oldest: the writes of a checkpoint come before it. */
class HistoryPage {
  readonly #writes = new Map<string, StoredWrites[]>();
  readonly #ended = new Set<string>();

  constructor(
    private readonly window: OutputWindow,
    private readonly namespace: string | undefined,
  ) {}

  async read(output: StoredOutput): Promise<CheckpointEntry | undefined> {
    const { stepId } = output;
    const written = writesOf(output);
    if (written) this.#addWrites(written);
    if (!isCheckpointStep(stepId) || this.#ended.has(stepId)) return undefined;
    const checkpoint = checkpointOf(output);
    if (!checkpoint) this.#ended.add(stepId);
    return checkpoint && this.#isRequested(checkpoint) ? this.#complete(checkpoint) : undefined;
  }

  #isRequested({ stored }: VersionedCheckpoint): boolean {
    return this.namespace === undefined || stored.ns === this.namespace;
  }

  async #complete(checkpoint: VersionedCheckpoint): Promise<CheckpointEntry> {
    const key = keyOf(checkpoint.stored.ns, checkpoint.stored.id);
    const later = this.#writes.get(key)?.toReversed() ?? [];
    this.#writes.delete(key);
    const writes = [...(await earlyWrites(checkpoint, this.window)), ...later];
    return { ...checkpoint, writes, window: this.window };
  }

  #addWrites(written: StoredWrites): void {
    const key = keyOf(written.ns, written.checkpoint);
    const sameCheckpoint = this.#writes.get(key);
    if (sameCheckpoint) sameCheckpoint.push(written);
    else this.#writes.set(key, [written]);
  }
}

async function earlyWrites(
  { stored: { early = [] } }: VersionedCheckpoint,
  window: OutputWindow,
): Promise<readonly StoredWrites[]> {
  const outputs = await Promise.all(early.map((version) => window.at(version)));
  return outputs.map(writesOf).filter((written) => written !== undefined);
}

function belongsTo(
  { stored }: VersionedCheckpoint,
  written: StoredWrites | undefined,
): written is StoredWrites {
  return written?.ns === stored.ns && written.checkpoint === stored.id;
}

function keyOf(namespace: string, id: string): string {
  return JSON.stringify([namespace, id]);
}

import { type ContextLog, type StoredOutput } from './context-log.js';
import { OutputWindow } from './output-window.js';
import {
  checkpointOf,
  checkpointStep,
  type FoundCheckpoint,
  isCheckpointStep,
  type StoredWrites,
  writesOf,
} from './stored-checkpoint.js';

/** A checkpoint with the writes of its tasks, oldest first, and where its values can be read. */
export type CheckpointEntry = FoundCheckpoint &
  Readonly<{ writes: readonly StoredWrites[]; window: OutputWindow }>;

const versionsAtATime = 200;

/** The newest checkpoint of the namespace; costs two requests, however long the thread is. */
export async function readHead(
  log: ContextLog,
  namespace: string,
): Promise<CheckpointEntry | undefined> {
  const latest = await log.latest(checkpointStep(namespace));
  const found = latest?.output && checkpointOf(latest.output);
  if (!latest || !found) return undefined;
  const window = new OutputWindow(log);
  const later = latest.version > found.version ? await window.range(found.version) : [];
  const writes = later.map(writesOf).filter((stored) => belongsTo(found, stored));
  return { ...found, writes: [...(await earlyWrites(found, window)), ...writes], window };
}

/** The checkpoints of a thread, newest first; of all namespaces unless one is named. The history is read as far as it is asked for. */
export async function* readHistory(
  log: ContextLog,
  namespace?: string,
): AsyncGenerator<CheckpointEntry> {
  const window = new OutputWindow(log);
  const page = new HistoryPage(window, namespace);
  const document = await log.read('_version');
  for (let to = document?._version ?? 0; to > 0; to -= versionsAtATime) {
    const outputs = await window.range(Math.max(0, to - versionsAtATime), to);
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
    if (written) this.#note(written);
    if (!isCheckpointStep(stepId) || this.#ended.has(stepId)) return undefined;
    const found = checkpointOf(output);
    if (!found) this.#ended.add(stepId);
    return found && this.#isWanted(found) ? this.#complete(found) : undefined;
  }

  #isWanted({ stored }: FoundCheckpoint): boolean {
    return this.namespace === undefined || stored.ns === this.namespace;
  }

  async #complete(found: FoundCheckpoint): Promise<CheckpointEntry> {
    const key = keyOf(found.stored.ns, found.stored.id);
    const later = this.#writes.get(key)?.toReversed() ?? [];
    this.#writes.delete(key);
    const writes = [...(await earlyWrites(found, this.window)), ...later];
    return { ...found, writes, window: this.window };
  }

  #note(written: StoredWrites): void {
    const key = keyOf(written.ns, written.checkpoint);
    const known = this.#writes.get(key);
    if (known) known.push(written);
    else this.#writes.set(key, [written]);
  }
}

async function earlyWrites(
  { stored: { early = [] } }: FoundCheckpoint,
  window: OutputWindow,
): Promise<readonly StoredWrites[]> {
  const outputs = await Promise.all(early.map((version) => window.at(version)));
  return outputs.map(writesOf).filter((written) => written !== undefined);
}

function belongsTo(
  { stored }: FoundCheckpoint,
  written: StoredWrites | undefined,
): written is StoredWrites {
  return written?.ns === stored.ns && written.checkpoint === stored.id;
}

function keyOf(namespace: string, id: string): string {
  return JSON.stringify([namespace, id]);
}

import { createHash } from 'node:crypto';

import { type Kysely } from 'kysely';

import { type Database, createDatabase, createPool } from '#database';
import { type ChainBreak, type ChainEnd, checkChain } from '#event-sourcing';
import { contextOfStream } from '#read-models';

import { attachStorage } from '../attach-storage.js';
import { type Config } from '../config.js';
import { type Logger } from '../logger.js';
import { type LogRow, findMissingPosition, readLogRows } from './log-rows.js';

const mostFindings = 100;

/** Where a stream first breaks; `foreign-stream` is of no context, `no-stream` has no name any more. */
export type ChainFinding = Readonly<{
  stream: string;
  version: number;
  reason: ChainBreak['reason'] | 'foreign-stream' | 'no-stream';
}>;

export type DatabaseVerdict = Readonly<{
  streams: number;
  events: number;
  /** How many streams are broken; `findings` names the first hundred. */
  broken: number;
  findings: readonly ChainFinding[];
  /** The first position of the log that no event has. */
  missingPosition: string | null;
}>;

/** Verifies the store of the configuration, while its servers run or while they do not. */
export async function verifyConfigured(config: Config, log: Logger): Promise<DatabaseVerdict> {
  const { connectionString, detach } = await attachStorage(config, log);
  const db = createDatabase(
    createPool({
      ...{ connectionString, applicationName: 'throughline-verify', max: 2 },
      // Positions are counted over the whole log.
      statementTimeoutMs: 0,
    }),
    Number.POSITIVE_INFINITY,
  );
  try {
    return await verifyDatabase(db);
  } finally {
    await db.destroy();
    await detach();
  }
}

/** Walks every row of the log once, whatever its size; changes nothing. */
export async function verifyDatabase(db: Kysely<Database>): Promise<DatabaseVerdict> {
  const walk = new ChainWalk();
  for await (const rows of readLogRows(db)) for (const row of rows) walk.take(row);
  return { ...walk.verdict(), missingPosition: await findMissingPosition(db) };
}

class ChainWalk {
  #streams = 0;
  #events = 0;
  #broken = 0;
  readonly #findings: ChainFinding[] = [];
  #stream: string | undefined;
  #isBroken = false;
  #end: ChainEnd = { version: 0, hash: null };

  take(row: LogRow): void {
    if (row.stream_id !== this.#stream) this.#begin(row.stream_id);
    this.#events++;
    // What lies behind a break says nothing more.
    if (this.#isBroken) return;
    const reason = this.#follow(row);
    if (reason === null) return;
    this.#isBroken = true;
    this.#broken++;
    if (this.#findings.length < mostFindings)
      this.#findings.push({
        ...{ stream: row.stream ?? row.stream_id, version: this.#end.version + 1, reason },
      });
  }

  verdict(): Omit<DatabaseVerdict, 'missingPosition'> {
    return {
      ...{ streams: this.#streams, events: this.#events },
      ...{ broken: this.#broken, findings: this.#findings },
    };
  }

  #begin(stream: string): void {
    this.#stream = stream;
    this.#streams++;
    this.#isBroken = false;
    this.#end = { version: 0, hash: null };
  }

  #follow(row: LogRow): ChainFinding['reason'] | null {
    if (row.stream === null) return 'no-stream';
    const id = contextOfStream(row.stream);
    if (!id) return 'foreign-stream';
    const { event_id: eventId, ...event } = row;
    const owner = { workspace: id.workspace, context: id.contextId };
    const { end, broken } = checkChain([{ eventId, ...event }], this.#end, owner, sha256);
    this.#end = end;
    return broken?.reason ?? null;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

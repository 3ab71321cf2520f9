import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';

import { DATABASE } from '../tokens.js';

/** The clock that all processes share: due times and durations of runs come from nowhere else. */
@Injectable()
export class RunClock {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /** Milliseconds. */
  async now(): Promise<number> {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('the database did not tell the time, and reported no error');
    return row.now.getTime();
  }
}

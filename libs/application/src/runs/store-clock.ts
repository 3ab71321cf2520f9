import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { DATABASE } from '../tokens.js';

/** `now`: milliseconds. `epoch`: see the table `store_epoch`. */
export type StoreTime = Readonly<{ now: number; epoch: string }>;

export const timeRow = z.object({ now: z.date(), epoch: z.string() });

/** The columns of {@link timeRow}, from the table `store_epoch`. */
export const storeTime = sql`clock_timestamp() as now, epoch`;

/** The first epoch of a store does not have this prefix. */
const renewedEpochPrefix = 'renewed-';

export function isFirstEpoch(epoch: string): boolean {
  return !epoch.startsWith(renewedEpochPrefix);
}

/** The clock that all processes share. All due times and durations of runs use it. */
@Injectable()
export class StoreClock {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  async read(): Promise<StoreTime> {
    const { rows } = await sql`
      select ${storeTime} from throughline.store_epoch`.execute(this.db);
    const { now, epoch } = timeRow.parse(rows[0]);
    return { now: now.getTime(), epoch };
  }

  /** Begins a new epoch: active runs wait until a person resumes them, and live streams are reset. Returns the new epoch. */
  async renewEpoch(): Promise<string> {
    const { rows } = await sql`
      update throughline.store_epoch set epoch = ${renewedEpochPrefix} || gen_random_uuid(), since = now()
      returning epoch`.execute(this.db);
    return timeRow.pick({ epoch: true }).parse(rows[0]).epoch;
  }
}

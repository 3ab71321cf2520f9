import { hostname } from 'node:os';

import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { partitionCount } from './partition.js';
import { type OwnedPartition, toOwned } from './partition-rows.js';

/** A process that has not been heard of for so long may be taken over; by the database's clock alone. */
const leaseSeconds = 4;

/** How often a process must be heard of. */
export const renewMs = 1_000;

/**
 * Shares the partitions of a projection between the processes that are alive. Being heard of is what keeps a
 * partition, but nothing is proven by it: who was taken over while it slept finds a newer epoch in the partition's
 * row, and its write is refused.
 */
export class Ownership {
  constructor(
    private readonly db: Kysely<Database>,
    private readonly projection: string,
    readonly instance: string,
  ) {}

  /** Says that we live, gives back what is more than our share, takes what is free; the partitions we now have. */
  async renew(): Promise<OwnedPartition[]> {
    return this.db.transaction().execute(async (trx) => {
      await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
      const share = Math.ceil(partitionCount / (await this.#heartbeat(trx)));
      await this.#giveBack(trx, share);
      await this.#take(trx, share);
      const { rows } = await sql`
        select partition, epoch, position from throughline.projection_partitions
        where projection = ${this.projection} and owner = ${this.instance} order by partition`.execute(
        trx,
      );
      return rows.map(toOwned);
    });
  }

  /** How far each of these has got; undefined where one is not ours any more. */
  async positions(owned: readonly OwnedPartition[]): Promise<OwnedPartition[] | undefined> {
    const { rows } = await sql`
      select p.partition, p.epoch, p.position from throughline.projection_partitions p
      join unnest(${owned.map(({ partition }) => partition)}::int[], ${owned.map(({ epoch }) => epoch)}::bigint[])
        as o(partition, epoch) using (partition, epoch)
      where p.projection = ${this.projection} and p.owner = ${this.instance}`.execute(this.db);
    return rows.length === owned.length ? rows.map(toOwned) : undefined;
  }

  /** Lets the others have everything at once. */
  async release(): Promise<void> {
    await sql`delete from throughline.projector_instances where instance = ${this.instance}`.execute(
      this.db,
    );
    await sql`
      update throughline.projection_partitions set owner = null
      where projection = ${this.projection} and owner = ${this.instance}`.execute(this.db);
  }

  /** How many processes are alive, this one included. */
  async #heartbeat(trx: Transaction<Database>): Promise<number> {
    await sql`
      insert into throughline.projector_instances (instance, host, pid, seen_at)
      values (${this.instance}, ${hostname()}, ${process.pid}, clock_timestamp())
      on conflict (instance) do update set seen_at = excluded.seen_at`.execute(trx);
    const { rows } = await sql<{ alive: number }>`
      select count(*)::int as alive from throughline.projector_instances where ${isAlive}`.execute(
      trx,
    );
    return Math.max(rows[0]?.alive ?? 1, 1);
  }

  async #giveBack(trx: Transaction<Database>, share: number): Promise<void> {
    await sql`
      update throughline.projection_partitions set owner = null
      where projection = ${this.projection} and partition in (
        select partition from throughline.projection_partitions
        where projection = ${this.projection} and owner = ${this.instance}
        order by partition offset ${share} for update)`.execute(trx);
  }

  /** Rows that others are taking, or working under, are left for the next time. */
  async #take(trx: Transaction<Database>, share: number): Promise<void> {
    await sql`
      update throughline.projection_partitions set owner = ${this.instance}, epoch = epoch + 1, failure = null
      where projection = ${this.projection} and partition in (
        select partition from throughline.projection_partitions
        where projection = ${this.projection} and (owner is null or owner not in (
          select instance from throughline.projector_instances where ${isAlive}))
        order by partition
        limit greatest(0, ${share} - (
          select count(*) from throughline.projection_partitions
          where projection = ${this.projection} and owner = ${this.instance}))
        for update skip locked)`.execute(trx);
    await sql`
      delete from throughline.projector_instances
      where seen_at < clock_timestamp() - make_interval(secs => ${leaseSeconds * 10})`.execute(trx);
  }
}

/** A condition on a row of `projector_instances`. */
export const isAlive = sql`seen_at > clock_timestamp() - make_interval(secs => ${sql.lit(leaseSeconds)})`;

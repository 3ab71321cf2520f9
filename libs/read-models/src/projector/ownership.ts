import { hostname } from 'node:os';

import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';

import { partitionCount } from './partition.js';
import { type OwnedPartition, toOwned } from './partition-rows.js';

/** The time after its last heartbeat from which a process counts as dead, by the database's clock alone. */
const leaseSeconds = 4;

/** The interval between heartbeats. */
export const renewMs = 1_000;

/**
 * Shares the partitions of a projection between the live processes. A process keeps its partitions while it sends
 * heartbeats, but only the epoch is authoritative: a process that was taken over while it was suspended finds a newer
 * epoch in the partition's row, and its write is refused.
 */
export class Ownership {
  constructor(
    private readonly db: Kysely<Database>,
    private readonly projection: string,
    readonly instance: string,
  ) {}

  /**
   * Sends a heartbeat, releases partitions above its share, takes free ones, and returns the partitions that it owns
   * now.
   */
  async renew(): Promise<OwnedPartition[]> {
    const { alive, owned, free } = await this.#heartbeat();
    const share = Math.ceil(partitionCount / alive);
    if (owned > share) await this.#giveBack(owned - share);
    if (owned < share && free > 0) await this.#take(share - owned);
    const { rows } = await sql`
      select partition, epoch, position from throughline.projection_partitions
      where projection = ${this.projection} and owner = ${this.instance} order by partition`.execute(
      this.db,
    );
    return rows.map(toOwned);
  }

  /** The current positions of these partitions; undefined if this process has lost one of them. */
  async positions(owned: readonly OwnedPartition[]): Promise<OwnedPartition[] | undefined> {
    const { rows } = await sql`
      select p.partition, p.epoch, p.position from throughline.projection_partitions p
      join unnest(${owned.map(({ partition }) => partition)}::int[], ${owned.map(({ epoch }) => epoch)}::bigint[])
        as o(partition, epoch) using (partition, epoch)
      where p.projection = ${this.projection} and p.owner = ${this.instance}`.execute(this.db);
    return rows.length === owned.length ? rows.map(toOwned) : undefined;
  }

  /** Releases everything at once for other processes. */
  async release(): Promise<void> {
    await sql`delete from throughline.projector_instances where instance = ${this.instance}`.execute(
      this.db,
    );
    await sql`
      update throughline.projection_partitions set owner = null
      where projection = ${this.projection} and owner = ${this.instance}`.execute(this.db);
  }

  /** Committed by itself, so that a long batch does not delay the heartbeat. */
  async #heartbeat(): Promise<Census> {
    const { rows } = await sql<Census>`
      with me as (
        insert into throughline.projector_instances (instance, host, pid, seen_at)
        values (${this.instance}, ${hostname()}, ${process.pid}, clock_timestamp())
        on conflict (instance) do update set seen_at = excluded.seen_at)
      select
        (select 1 + count(*) from throughline.projector_instances
         where instance <> ${this.instance} and ${isAlive})::int as alive,
        count(*) filter (where owner = ${this.instance})::int as owned,
        count(*) filter (where owner <> ${this.instance} and ${this.#isDead} or owner is null)::int as free
      from throughline.projection_partitions where projection = ${this.projection}`.execute(
      this.db,
    );
    return rows[0] ?? { alive: 1, owned: 0, free: 0 };
  }

  /** Waits for a running batch. */
  async #giveBack(count: number): Promise<void> {
    await sql`
      update throughline.projection_partitions set owner = null
      where projection = ${this.projection} and partition in (
        select partition from throughline.projection_partitions
        where projection = ${this.projection} and owner = ${this.instance}
        order by partition desc limit ${count})`.execute(this.db);
  }

  /** Skips rows that other processes have locked, until the next call. */
  async #take(count: number): Promise<void> {
    await sql`
      update throughline.projection_partitions set owner = ${this.instance}, epoch = epoch + 1, failure = null
      where projection = ${this.projection} and partition in (
        select partition from throughline.projection_partitions
        where projection = ${this.projection}
          and (owner is null or owner <> ${this.instance} and ${this.#isDead})
        order by partition limit ${count} for update skip locked)`.execute(this.db);
    await sql`
      delete from throughline.projector_instances
      where seen_at < clock_timestamp() - make_interval(secs => ${leaseSeconds * 10})`.execute(
      this.db,
    );
  }

  /** A condition on a partition's owner. */
  get #isDead() {
    return sql`owner not in (select instance from throughline.projector_instances where ${isAlive})`;
  }
}

/** The number of live processes, this one included; partitions of this process; partitions without a live owner. */
type Census = Readonly<{ alive: number; owned: number; free: number }>;

/** A condition on a row of `projector_instances`. */
export const isAlive = sql`seen_at > clock_timestamp() - make_interval(secs => ${sql.lit(leaseSeconds)})`;

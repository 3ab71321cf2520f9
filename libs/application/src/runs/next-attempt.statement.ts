import { type RawBuilder, sql } from 'kysely';

import { attemptIn, runIn, visitIn } from '#read-models';

import { type QueueFilter, isStartable } from './queue-filter.js';

/** How many attempts of each agent a claim for several agents reads, because others may claim some of them concurrently. */
const maxOfAgent = 8;

/** The columns of a claim, from a row of open work `o`. */
const claimable = sql`
  o.workspace, o.context_id, o.key as step_id, o.from_version as version, o.assignee as agent,
  ${runIn('o')} as run_id, ${visitIn('o')} as visit, ${attemptIn('o')} as attempt`;

/** Whether no live claim holds the attempt of a row of open work `o`. */
export const isUnclaimed = sql`not exists (
  select from throughline.run_claims held
  where (held.workspace, held.context_id, held.step_id, held.version)
      = (o.workspace, o.context_id, o.key, o.from_version)
    and held.lease_until > clock_timestamp())`;

/** As {@link isUnclaimed}, if the table `held` contains the live claims of the workspace. */
export const isNotHeld = sql`(o.context_id, o.key, o.from_version) not in (
  select context_id, step_id, version from held)`;

type AttemptSource = Readonly<{ agent: RawBuilder<unknown>; isFree: RawBuilder<unknown> }>;

/** The rows of open work `o` with the attempts of an agent, the longest waiting first, which is the order of the index. */
export function attemptsOf(
  filter: QueueFilter,
  { agent, isFree }: AttemptSource,
): RawBuilder<unknown> {
  return sql`
    from throughline.open_work o
    join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
    where o.assignee = ${agent} and ${isStartable(filter)} and ${isFree}
    order by o.opened_at, o.context_id, o.key`;
}

/**
 * The attempt to claim as the table `next`. The table `found` is empty only if no attempt waits, regardless of locks of
 * other claims.
 */
export function nextOf(filter: QueueFilter): RawBuilder<unknown> {
  const [agent] = filter.agents;
  if (filter.agents.length > 1)
    return nextOfEach(filter, sql`unnest(${[...filter.agents]}::text[])`, isUnclaimed);
  return sql`
    next as (
      select ${claimable} ${attemptsOf(filter, { agent: sql`${agent}`, isFree: isUnclaimed })} limit 1
      for update of o skip locked),
    found as (select from next)`;
}

/** As {@link nextOf}, for several agents: reads the first attempts of each agent in the order of the index, and locks one. */
export function nextOfEach(
  filter: QueueFilter,
  agents: RawBuilder<unknown>,
  isFree: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    found as materialized (
      select first.* from ${agents} a(agent) cross join lateral (
        select o.workspace, o.context_id, o.kind, o.key, o.from_version, o.opened_at
        ${attemptsOf(filter, { agent: sql`a.agent`, isFree })} limit ${maxOfAgent}) first),
    next as (
      select ${claimable}
      from found f join throughline.open_work o
        on (o.workspace, o.context_id, o.kind, o.key) = (f.workspace, f.context_id, f.kind, f.key)
      where o.from_version = f.from_version and o.due
      order by f.opened_at, f.context_id, f.key limit 1
      for update of o skip locked)`;
}

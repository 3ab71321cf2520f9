import { type RawBuilder, sql } from 'kysely';

// Expressions for members of the state of a run or of one of its steps, which is stored as JSON text. They match the
// text, because user texts in it may contain NUL, which PostgreSQL casts to neither json nor jsonb. A user text cannot
// look like a member, since its quotes are escaped. The indexes of the table use the same expressions.

/** `alias`: the alias of the table whose column `state` is read. */
export function statusIn(alias: string): RawBuilder<string> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"status":"([a-z]+)"')`;
}

export function epochIn(alias: string): RawBuilder<string> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"epoch":"([^"]*)"')`;
}

export function startedAtIn(alias: string): RawBuilder<string> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"startedAt":"([^"]*)"')`;
}

/** JSON text without its quotes. */
export function definitionIn(alias: string): RawBuilder<string> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"definitionId":"((?:[^"\\\\]|\\\\.)*)"')`;
}

/**
 * Rank of a run in lists: runs that wait for people, then paused, cancelling or running ones, failed ones, and the
 * rest.
 */
export function rankIn(alias: string): RawBuilder<number> {
  const state = sql.ref(`${alias}.state`);
  return sql`(case substring(${state} from '"status":"([a-z]+)"')
    when 'running' then case when substring(${state} from '"asking":([0-9]+)') = '0' then 2 else 0 end
    when 'paused' then 1 when 'cancelling' then 1 when 'failed' then 3 else 4 end)`;
}

export function runIn(alias: string): RawBuilder<string> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"runId":"([^"]*)"')`;
}

export function visitIn(alias: string): RawBuilder<number> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"visit":([0-9]+)')::integer`;
}

export function attemptIn(alias: string): RawBuilder<number> {
  return sql`substring(${sql.ref(`${alias}.state`)} from '"attempt":([0-9]+)')::integer`;
}

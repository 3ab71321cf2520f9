import { askOnce } from '../database-server.mjs';

/**
 * The commit times of scheduling and completion of each visit of a context, in milliseconds, so that steps are measured
 * alike in any process.
 */
export async function visitTimes(connectionString, contextId) {
  const rows = await eventTimes(connectionString, contextId, ['StepScheduled', 'StepRouted']);
  const visits = new Map();
  for (const { type, data, at } of rows) {
    const { stepId, visit } = data;
    const name = `${stepId}#${visit}`;
    const times = visits.get(name) ?? { stepId, visit };
    visits.set(name, times);
    if (type === 'StepRouted') times.completed = at;
    else times.scheduled ??= at;
  }
  return [...visits.values()].filter(({ completed }) => completed !== undefined);
}

/** The events of a context of some types, in order, each with the time of its commit. */
export async function eventTimes(connectionString, contextId, types) {
  const list = types.map((type) => `'${type}'`).join(', ');
  const rows = await askOnce(
    connectionString,
    `select e.type, e.version, e.data, extract(epoch from pg_xact_commit_timestamp(e.xmin))::float8 * 1000 as at
     from throughline.events e join throughline.streams s using (stream_id)
     where s.stream = 'context-default:${contextId}' and e.type in (${list}) order by e.version`,
  );
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }));
}

/** The milliseconds of each visit from scheduling to completion. */
export function tookMs(visits) {
  return visits.map(({ scheduled, completed }) => completed - scheduled);
}

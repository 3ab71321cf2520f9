import { type RawBuilder, sql } from 'kysely';

/** Whether a workspace has turned summaries off. */
export function hasTurnedSummariesOff(workspace: RawBuilder<unknown>) {
  return sql<boolean>`exists (
    select from (
      select s.settings from throughline.workspace_settings s where s.workspace = ${workspace}
      order by s.version desc limit 1) newest
    where newest.settings::jsonb ->> 'summaries' = 'false')`;
}

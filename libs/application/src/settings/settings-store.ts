import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';

import { DATABASE, DEFAULT_SETTINGS } from '../tokens.js';
import { type Settings, settingsSchema } from './settings.messages.js';

/** Workspace defaults; every version is kept. */
@Injectable()
export class SettingsStore {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(DEFAULT_SETTINGS) private readonly defaults: Settings,
  ) {}

  async find(workspace: string): Promise<Settings> {
    const { rows } = await sql<{ settings: string | null }>`
      select ${this.newest(workspace)} as settings`.execute(this.db);
    return this.withDefaults(rows[0]?.settings);
  }

  /** What {@link withDefaults} takes, to be read by another statement. */
  newest(workspace: string): RawBuilder<string | null> {
    return sql<string | null>`(
      select settings from throughline.workspace_settings
      where workspace = ${workspace} order by version desc limit 1)`;
  }

  /** How many attempts may run at once now, to be read by another statement. */
  maxRunningAttempts(workspace: string): RawBuilder<number | null> {
    // Settings hold no texts of users, which might be what PostgreSQL does not read as JSON.
    return sql<number | null>`coalesce(
      (${this.newest(workspace)}::json ->> 'maxRunningAttempts')::integer,
      ${this.defaults.maxRunningAttempts}::integer)`;
  }

  /** `stated`: the newest version as it is stored, if there is one. */
  withDefaults(stated: string | null | undefined): Settings {
    return { ...this.defaults, ...statedSettings(stated) };
  }

  /** Adds a version made from the newest one; two at once take turns. */
  async change(
    workspace: string,
    patch: (stated: Partial<Settings>) => Partial<Settings>,
    by: string,
  ): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`throughline.settings.${workspace}`}, 0))`.execute(
        trx,
      );
      const { rows } = await sql<{ version: number; settings: string }>`
        select version, settings from throughline.workspace_settings
        where workspace = ${workspace} order by version desc limit 1`.execute(trx);
      const stated = statedSettings(rows[0]?.settings);
      await sql`
        insert into throughline.workspace_settings (workspace, version, settings, changed_by)
        values (${workspace}, ${(rows[0]?.version ?? 0) + 1}, ${JSON.stringify(patch(stated))}, ${by})`.execute(
        trx,
      );
    });
  }
}

const statedSchema = settingsSchema.partial();

/** The defaults a workspace has stated itself. */
function statedSettings(text: string | null | undefined): Partial<Settings> {
  const stated = statedSchema.parse(JSON.parse(text ?? '{}'));
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

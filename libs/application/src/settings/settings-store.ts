import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';

import { DATABASE, DEFAULT_SETTINGS } from '../tokens.js';
import { VersionedStore } from '../versioned-store/versioned-store.js';
import { type Settings, settingsSchema } from './settings.messages.js';

const versionTable = { table: 'workspace_settings', value: 'settings', lock: 'settings' };

/** Workspace defaults; every version is kept. */
@Injectable()
export class SettingsStore {
  readonly #versions: VersionedStore<typeof versionTable>;

  constructor(
    @Inject(DATABASE) db: Kysely<Database>,
    @Inject(DEFAULT_SETTINGS) private readonly defaults: Settings,
  ) {
    this.#versions = new VersionedStore(db, versionTable);
  }

  async find(workspace: string): Promise<Settings> {
    return this.withDefaults((await this.#versions.newest({ workspace }))?.value);
  }

  /** What {@link withDefaults} takes, to be read by another statement. */
  newest(workspace: string): RawBuilder<string | null> {
    return this.#versions.newestValue({ workspace });
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
    await this.#versions.put({ workspace }, by, (before) =>
      JSON.stringify(patch(statedSettings(before?.value))),
    );
  }
}

const statedSchema = settingsSchema.partial();

/** The defaults a workspace has stated itself. */
function statedSettings(text: string | null | undefined): Partial<Settings> {
  const stated = statedSchema.parse(JSON.parse(text ?? '{}'));
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';

import { DATABASE, DEFAULT_SETTINGS } from '../tokens.js';
import { VersionedStore } from '../versioned-store/versioned-store.js';
import { type Settings, settingsSchema } from './settings.messages.js';

const versionTable = { table: 'workspace_settings', value: 'settings', lock: 'settings' };

/** The settings of workspaces; every version is stored. */
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

  /** An SQL expression for another statement: returns the argument of {@link withDefaults}. */
  newest(workspace: string): RawBuilder<string | null> {
    return this.#versions.newestValue({ workspace });
  }

  /** An SQL expression for another statement: how many attempts may run at once; null if any number. */
  maxRunningAttempts(workspace: string): RawBuilder<number | null> {
    // The cast to JSON never fails: settings contain no texts of users, which PostgreSQL might not accept in JSON.
    return sql<number | null>`coalesce(
      (${this.newest(workspace)}::json ->> 'maxRunningAttempts')::integer,
      ${this.defaults.maxRunningAttempts}::integer)`;
  }

  /** `stored`: the newest stored version, if there is one. */
  withDefaults(stored: string | null | undefined): Settings {
    return { ...this.defaults, ...parseOverrides(stored) };
  }

  /** Adds a version that `patch` makes from the newest one; concurrent calls run one after the other. */
  async change(
    workspace: string,
    patch: (overrides: Partial<Settings>) => Partial<Settings>,
    by: string,
  ): Promise<void> {
    await this.#versions.put({ workspace }, by, (before) =>
      JSON.stringify(patch(parseOverrides(before?.value))),
    );
  }
}

const overridesSchema = settingsSchema.partial();

/** The settings that a workspace has changed from the defaults. */
function parseOverrides(text: string | null | undefined): Partial<Settings> {
  const overrides = overridesSchema.parse(JSON.parse(text ?? '{}'));
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}

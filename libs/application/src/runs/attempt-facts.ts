import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { AgentStore } from '../agents/agent-store.js';
import { SettingsStore } from '../settings/settings-store.js';
import { type Settings } from '../settings/settings.messages.js';
import { DATABASE } from '../tokens.js';
import { type StoreTime, storeTime, timeRow } from './store-clock.js';

/** The settings and agents of a workspace, which apply to all its attempts, and the time of the store. */
export type CurrentFacts = StoreTime &
  Readonly<{ settings: Settings; agents: readonly RegisteredAgent[] }>;

const factsRow = timeRow.extend({ settings: z.string().nullable(), agents: z.number() });

/** Reads the current facts outside a run that decide how its attempts start and end, in one statement. */
@Injectable()
export class AttemptFacts {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly settings: SettingsStore,
    private readonly agents: AgentStore,
  ) {}

  async read(workspace: string): Promise<CurrentFacts> {
    const { rows } = await sql`
      select ${storeTime},
             ${this.settings.newest(workspace)} as settings, ${this.agents.mark(workspace)} as agents
      from throughline.store_epoch`.execute(this.db);
    const { now, epoch, settings, agents } = factsRow.parse(rows[0]);
    return {
      now: now.getTime(),
      epoch,
      settings: this.settings.withDefaults(settings),
      agents: await this.agents.find(workspace, agents),
    };
  }
}

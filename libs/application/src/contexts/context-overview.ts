import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { findObstacles } from '#read-models';
import { type ContextHead } from '#shared-context';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { renderOutline, renderContextRow } from '../reading/context-row.js';
import { SettingsStore } from '../settings/settings-store.js';
import { DATABASE } from '../tokens.js';

/** Renders contexts in lists, with the members that the reader may see. */
@Injectable()
export class ContextOverview {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly settings: SettingsStore,
  ) {}

  /** All contexts must belong to the workspace of the principal. */
  async render(principal: Principal, heads: readonly ContextHead[]): Promise<JsonObject[]> {
    if (!seesEverything(principal)) return heads.map(renderOutline);
    const [{ tokenThreshold }, obstacles] = await Promise.all([
      this.settings.find(principal.workspace),
      findObstacles(
        this.db,
        principal.workspace,
        heads.map(({ contextId }) => contextId),
      ),
    ]);
    return heads.map((head) =>
      renderContextRow(head, { tokenThreshold, obstacles: obstacles.get(head.contextId) }),
    );
  }
}

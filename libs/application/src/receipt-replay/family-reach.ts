import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { countChildren } from '#read-models';
import { type ContextId } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { DATABASE } from '../tokens.js';

/**
 * Checks whether a key that reaches a context also reaches all its children, because a text may contain facts about
 * them.
 */
@Injectable()
export class FamilyReach {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  async isWhole(
    { workspace, contextId: parent }: ContextId,
    { contexts, workflows }: Pick<Principal, 'contexts' | 'workflows'>,
  ): Promise<boolean> {
    if (contexts === null && workflows === null) return true;
    const all = { workspace, parent, contexts: null, workflows: null };
    return (await this.#count(all)) === (await this.#count({ ...all, contexts, workflows }));
  }

  async #count(filter: Parameters<typeof countChildren>[1]): Promise<number> {
    const counted = await countChildren(this.db, filter);
    return counted.reduce((sum, { count }) => sum + count, 0);
  }
}

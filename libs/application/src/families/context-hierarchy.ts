import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { countChildren, findChildren } from '#read-models';
import {
  type Child,
  type Family,
  childKinds,
  renderFamily,
  renderPastFamily,
  visibleChild,
} from '#shared-context';
import { type VisibilityFilter, isShown } from '#visibility';

import { type Principal } from '../access/principal.js';
import { isVersion } from '../reading/as-of.js';
import { type AsOf } from '../reading/snapshot-tag.js';
import {
  AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { parseRfc3339 } from '../rfc3339.js';
import { DATABASE } from '../tokens.js';

/**
 * The maximum number of listed children. Further ones are only counted; `GET /contexts?parent=` lists all page by page.
 */
const maxListed = 1_000;

type FamilyReader = Readonly<{
  principal: Principal;
  asOf?: AsOf;
  signal?: AbortSignal | undefined;
}>;

/**
 * Reads the children of contexts that the key of a reader reaches. They come from the list of contexts and are as far
 * behind as any list. For earlier versions, only their existence is known.
 */
@Injectable()
export class ContextHierarchy {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly contexts: AuthorizedContextReader,
  ) {}

  async of(parent: AuthorizedSnapshot, reader: FamilyReader): Promise<Family> {
    const criteria = filterOf(parent, reader);
    const found = await findChildren(this.db, criteria, maxListed);
    if (reader.asOf !== undefined) return renderPastFamily(found);
    if (parent.filter) return renderFamily(await this.#visible(found, parent.filter, parent.head));
    return found.length < maxListed
      ? renderFamily(found)
      : renderFamily(found, await countChildren(this.db, criteria));
  }

  /** Whether there are children, so that the document may change without a new version. */
  async has(parent: AuthorizedSnapshot, reader: FamilyReader): Promise<boolean> {
    return (await findChildren(this.db, filterOf(parent, reader), 1)).length > 0;
  }

  /** The progress of a child may depend on hidden events, so it is computed from the visible items. */
  async #visible(
    found: readonly Child[],
    filter: VisibilityFilter,
    { workspace }: Readonly<{ workspace: string }>,
  ): Promise<readonly Child[]> {
    const visible: Child[] = [];
    for (const { contextId } of found) {
      const request = { id: { workspace, contextId }, filter };
      const { head, state } = await this.contexts.filteredReader.read(request, {
        kinds: childKinds,
      });
      const shown = [...state.values()].filter((item) => isShown(filter, item));
      if (head) visible.push(visibleChild(contextId, shown, head.activity.counted));
    }
    return visible;
  }
}

function filterOf({ head }: AuthorizedSnapshot, { principal, asOf }: FamilyReader) {
  const { contexts, workflows } = principal;
  const until = asOf !== undefined && !isVersion(asOf) ? parseRfc3339(asOf) : head.modifiedAt;
  return {
    workspace: head.workspace,
    parent: head.contextId,
    contexts,
    workflows,
    until: asOf === undefined ? undefined : until,
  };
}

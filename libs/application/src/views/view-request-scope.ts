import { viewKinds } from '#context-views';
import { type Selection } from '#read-models';
import { type ContextId } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

import { type Principal } from '../access/principal.js';

/** A context at a version, and the visibility filter of its reader; undefined for all of it. */
export type ViewVersion = Readonly<{
  id: ContextId;
  version: number;
  filter: VisibilityFilter | undefined;
  /**
   * The number of versions of transformations that the workspace had when derived values were marked; undefined if none
   * were.
   */
  transformationVersions?: number | undefined;
}>;

/** A view at a version, and its reader. */
export type ViewRequestScope = ViewVersion &
  Readonly<{
    principal: Principal;
    /** Only if the request named a version or time. */
    asOf?: string | undefined;
    /** False if the items come from rows of an earlier projection version, which do not count work; default: true. */
    counted?: boolean | undefined;
  }>;

/**
 * The items of which views consist. Large bodies are packed, because a context may have more of them than fit into
 * memory.
 */
export const viewSelection: Selection = { kinds: viewKinds, bodies: 'packed' };

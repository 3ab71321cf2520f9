import { viewKinds } from '#context-views';
import { type Selection } from '#read-models';
import { type ContextId } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

import { type Principal } from '../access/principal.js';

/** A context at a version, as a visibility filter shows it; without a visibility filter, all of it. */
export type ViewVersion = Readonly<{
  id: ContextId;
  version: number;
  filter: VisibilityFilter | undefined;
  /** How many versions of transformations the workspace had when derived values were marked; undefined if none were. */
  transformationVersions?: number | undefined;
}>;

/** For whom a view of that version is rendered. */
export type ViewRequestScope = ViewVersion &
  Readonly<{
    principal: Principal;
    /** Only if the request named a version or time. */
    asOf?: string | undefined;
    /** False if the items come from rows of an earlier projection version, which do not count work; default: true. */
    counted?: boolean | undefined;
  }>;

/** The items that views are made of: a context may have more large ones than fit into memory. */
export const viewSelection: Selection = { kinds: viewKinds, bodies: 'packed' };

import { type Gate } from '#context-views';
import { type ContextId } from '#read-models';

import { type Principal } from '../access/principal.js';

/** A context at a version, as a gate shows it to a principal: undefined for everything. */
export type ViewSite = Readonly<{
  id: ContextId;
  version: number;
  gate: Gate | undefined;
  principal: Principal;
  /** Where the past was asked for. */
  asOf?: string | undefined;
  /** How many versions of transformations the workspace had when derived values were marked; undefined if none were. */
  transformationVersions?: number | undefined;
  /** False if the items come from rows of an earlier projection version, which do not count work; default: true. */
  counted?: boolean | undefined;
}>;

import { Injectable } from '@nestjs/common';

import { type Item } from '#shared-context';

import { isDerived, markItem } from './mark-derived.js';
import { TransformationStore } from './transformation-store.js';

/** `transformationVersions`: how many versions of transformations the workspace had; undefined if no item is derived. */
type MarkedItems = Readonly<{
  items: readonly Item[];
  transformationVersions?: number | undefined;
}>;

type EarlierMarks = Readonly<{
  id: Readonly<{ workspace: string }>;
  transformationVersions?: number | undefined;
}>;

/** Marks derived values that no active transformation derives. */
@Injectable()
export class DerivedMarks {
  constructor(private readonly transformations: TransformationStore) {}

  /** Marks by the current transformations. Runs no statement if no item is derived. */
  async mark(workspace: string, items: readonly Item[]): Promise<MarkedItems> {
    if (!items.some(isDerived)) return { items };
    const { versions, set } = await this.transformations.at(workspace);
    return { items: items.map((item) => markItem(item, set)), transformationVersions: versions };
  }

  /**
   * Marks by the transformations of an earlier time. If `transformationVersions` is undefined, marks no item: the text had no
   * derived values, or an earlier version of Throughline rendered it without marks.
   */
  async markAsOf(
    { id, transformationVersions }: EarlierMarks,
    items: readonly Item[],
  ): Promise<readonly Item[]> {
    if (transformationVersions === undefined || !items.some(isDerived)) return items;
    const { set } = await this.transformations.at(id.workspace, transformationVersions);
    return items.map((item) => markItem(item, set));
  }
}

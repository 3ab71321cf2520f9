import { Injectable } from '@nestjs/common';

import { type Section, type ViewSource, reworkNames, viewSourceInSteps } from '#context-views';
import { type Item } from '#shared-context';
import { runInSlices } from '#slices';
import { everything } from '#visibility';

import { ResourceNotFoundError } from '../errors.js';
import { PreviousVersion } from './previous-version.js';
import { ViewFocus } from './view-focus.js';
import { type ViewRequestScope } from './view-request-scope.js';
import { shownBy } from './view-snapshot.js';
import { type ViewParameters } from './view.messages.js';

/** The sources of a view at its version, and at the previous version if that is known. */
export type Sources = readonly [now: ViewSource, before: ViewSource | undefined];

/** Builds the sources of views from the items of a version. */
@Injectable()
export class SourcePairs {
  constructor(
    private readonly previous: PreviousVersion,
    private readonly focus: ViewFocus,
  ) {}

  /** `like`: a source with mostly the same entries. Throws if the subject of a rework view is missing or hidden. */
  async make(
    site: ViewRequestScope,
    items: readonly Item[],
    parameters: ViewParameters,
    like?: ViewSource,
  ): Promise<Sources> {
    requireSubject(site, items, parameters);
    const now = await this.#source(site, items, parameters, like);
    const before = await this.previous.find(site, items);
    return [now, before && (await this.#source(site, before, parameters, now))];
  }

  async #source(
    { id: { contextId }, filter, principal, asOf, counted }: ViewRequestScope,
    items: readonly Item[],
    { sections, focus }: ViewParameters,
    like?: ViewSource,
  ): Promise<ViewSource> {
    const contents = {
      contextId,
      items,
      counted,
      isShown: shownBy(filter),
      like,
      sections: sections ? new Set<Section>(sections) : undefined,
    };
    if (!focus) return runInSlices(viewSourceInSteps(contents));
    const audience = filter?.reader.audience ?? everything;
    const site = { principal, contextId, audience, asOf, access: { filter } };
    return this.focus.source(site, contents, focus);
  }
}

/** Throws unless a visible item has the subject of a rework view as its name. */
function requireSubject(
  { filter }: ViewRequestScope,
  items: readonly Item[],
  { focus }: ViewParameters,
): void {
  if (focus?.on !== 'rework') return;
  const isShownTo = shownBy(filter);
  if (reworkNames(isShownTo ? items.filter(isShownTo) : items, focus.subject)) return;
  const { subject } = focus;
  throw new ResourceNotFoundError(
    `this key can read no artifact, step, task or loop called "${subject}": name an artifact or its path, a step, a task, or the subject of a loop`,
  );
}

import { Injectable } from '@nestjs/common';

import { ReachableContext } from '../reading/reachable-context.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { viewSelection } from './view-selection.js';
import { type ViewSite } from './view-site.js';
import { type LoadedSources, ViewSources } from './view-sources.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** Reads what views are made of, for who may read it. */
@Injectable()
export class ViewReader {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly sources: ViewSources,
    private readonly marks: DerivedMarks,
  ) {}

  async read(request: ViewRequest, parameters: ViewParameters): Promise<LoadedSources> {
    const newest =
      request.asOf === undefined ? await this.sources.findNewest(request, parameters) : undefined;
    if (newest) return newest;
    const snapshot = await this.contexts.read(request, viewSelection);
    const { head, gate, state } = snapshot;
    const marked = await this.marks.mark(head.workspace, [...state.values()]);
    const { items, transformationVersions } = marked;
    const { principal, asOf } = request;
    const { version, activity } = head;
    const site = {
      ...{ id: head, version, gate, principal, asOf, transformationVersions },
      counted: activity.counted,
    };
    const sources = await this.sources.find(site, items, parameters);
    return { snapshot, sources, isNew: true, transformationVersions };
  }

  /** Whoever asks must know that the principal may read the context through the gate. */
  async readAt(
    site: ViewSite,
    parameters: ViewParameters,
  ): Promise<Pick<LoadedSources, 'sources'>> {
    const { id, version, gate } = site;
    const { head, state } = await this.contexts.gated.read({ id, version, gate }, viewSelection);
    const items = await this.marks.markAsThen(site, [...state.values()]);
    const { counted } = head?.activity ?? {};
    return { sources: await this.sources.find({ ...site, counted }, items, parameters) };
  }
}

import { Injectable } from '@nestjs/common';

import { ReachableContext } from '../reading/reachable-context.js';
import { viewSelection } from './view-selection.js';
import { type ViewSite } from './view-site.js';
import { type Sourced, ViewSources } from './view-sources.js';
import { type ViewParameters, type ViewRequest } from './view.messages.js';

/** Reads what views are made of, for who may read it. */
@Injectable()
export class ViewReader {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly sources: ViewSources,
  ) {}

  async read(request: ViewRequest, parameters: ViewParameters): Promise<Sourced> {
    const newest =
      request.asOf === undefined ? await this.sources.findNewest(request, parameters) : undefined;
    if (newest) return newest;
    const snapshot = await this.contexts.read(request, viewSelection);
    const { head, gate, state } = snapshot;
    const { principal, asOf } = request;
    const site = { id: head, version: head.version, gate, principal, asOf };
    const sources = await this.sources.find(site, [...state.values()], parameters);
    return { snapshot, sources, isNew: true };
  }

  /** Whoever asks must know that the principal may read the context through the gate. */
  async readAt(site: ViewSite, parameters: ViewParameters): Promise<Pick<Sourced, 'sources'>> {
    const { id, version, gate } = site;
    const { state } = await this.contexts.gated.read({ id, version, gate }, viewSelection);
    return { sources: await this.sources.find(site, [...state.values()], parameters) };
  }
}

import { Injectable } from '@nestjs/common';

import { type JsonObject, isJsonObject } from '#event-sourcing';
import {
  ContextState,
  type Family,
  activityMembers,
  hasOpenSteps,
  selectMembers,
} from '#shared-context';

import { AgentRegistry } from '../agents/agent-registry.js';
import { SettingsStore } from '../settings/settings-store.js';
import { inactivePaths, markDerived } from '../transformations/mark-derived.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { ActivityReader } from './activity-reader.js';
import { warningOf } from './context-row.js';
import { type Members, renderedMembers } from './document-members.js';
import { AuthorizedContextReader, type AuthorizedSnapshot } from './authorized-context-reader.js';
import { documentOf, renderParts } from './render-snapshot.js';
import { versionsOf, visibleSize } from './visible-size.js';

type RenderOptions = Readonly<{
  family?: Family | undefined;
  members?: Members | undefined;
  transformationVersions?: number | undefined;
}>;

/**
 * `transformationVersions`: the number of versions of transformations that the workspace had; undefined if nothing was
 * derived.
 */
type MarkedDocument = Readonly<{ document: JsonObject; transformationVersions?: number }>;

/** Renders the documents of contexts as their readers see them. */
@Injectable()
export class Documents {
  // oxlint-disable-next-line eslint/max-params -- a document combines data from each of these
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly agents: AgentRegistry,
    private readonly settings: SettingsStore,
    private readonly activities: ActivityReader,
    private readonly transformations: TransformationStore,
  ) {}

  /**
   * Renders the document of a snapshot with all items of a document, and of its family if known. With `members`, only
   * these members; the snapshot then needs only the items that `documentSelection` selects for them.
   */
  async render(
    snapshot: AuthorizedSnapshot,
    family?: Family,
    members?: Members,
  ): Promise<JsonObject> {
    return (await this.renderMarked(snapshot, { family, members })).document;
  }

  /**
   * Renders as {@link render} does, and returns the version of the transformations by which derived values are marked;
   * default: the newest.
   */
  async renderMarked(
    snapshot: AuthorizedSnapshot,
    { family, members, transformationVersions }: RenderOptions,
  ): Promise<MarkedDocument> {
    const rendered = renderedMembers(members, snapshot.filter);
    const document = rendered
      ? await this.#renderMembers(snapshot, rendered)
      : await this.#renderWhole(snapshot, family);
    const marked = await this.#mark(document, snapshot.head, transformationVersions);
    if (!members) return marked;
    return { ...marked, document: selectMembers({ ...marked.document, ...family }, members) };
  }

  async #renderWhole(snapshot: AuthorizedSnapshot, family?: Family): Promise<JsonObject> {
    const { head, state, filter } = snapshot;
    const { modifiedAt, modifiedBy } = filter ? await this.#lastVisibleHead(snapshot) : head;
    const registry = await this.agents.shownAt(head.workspace, modifiedAt, state.values());
    if (!filter) return { ...documentOf(snapshot, { registry }), ...family };
    const visible = renderParts(snapshot, { modifiedAt, modifiedBy, registry, size: noSize });
    const document = { ...visible, ...family };
    return { ...document, size: await visibleSize(document, snapshot) };
  }

  /** Adds `active: false` to values that no transformation derives. Runs no statement if nothing was derived. */
  async #mark(
    document: JsonObject,
    { workspace }: AuthorizedSnapshot['head'],
    transformationVersions: number | undefined,
  ): Promise<MarkedDocument> {
    const { derived } = document;
    if (!isJsonObject(derived) || Object.keys(derived).length === 0) return { document };
    const { versions, set } = await this.transformations.at(workspace, transformationVersions);
    return {
      document: { ...document, derived: markDerived(derived, set) },
      transformationVersions: versions,
    };
  }

  /**
   * The paths of derived values that a document with these items marks as `active: false`. A copy depends on them and
   * on its version. Runs no statement if nothing was derived.
   */
  async inactive({ head, state }: AuthorizedSnapshot): Promise<readonly string[]> {
    const derived = [...state.values()].filter(({ kind }) => kind === 'derived');
    if (derived.length === 0) return [];
    return inactivePaths(derived, await this.transformations.find(head.workspace));
  }

  async #renderMembers(snapshot: AuthorizedSnapshot, members: readonly string[]) {
    const { head, state, filter } = snapshot;
    const { workspace, modifiedAt } = head;
    const registry = registeredMembers.some((name) => members.includes(name))
      ? await this.agents.shownAt(workspace, modifiedAt, state.values())
      : [];
    if (filter || !members.some((name) => activityMembers.includes(name)))
      return documentOf(snapshot, { registry, members });
    const { activity, steps } = await this.#activityOf(snapshot, members);
    // Adds the bodies of steps: other members may have needed only their states.
    const withSteps = { ...snapshot, state: ContextState.from([...state.values(), ...steps]) };
    return documentOf(withSteps, { registry, activity, members });
  }

  /** The current activity for readers who see everything: one statement, and more if steps are running or failed. */
  async #activityOf({ head, filter }: AuthorizedSnapshot, members: readonly string[]) {
    const { workspace, contextId, version } = head;
    const request = { id: { workspace, contextId }, filter, version };
    const activity = await this.activities.find(request);
    const showsSteps = stepMembers.some((name) => members.includes(name));
    const areRead = showsSteps && hasOpenSteps(activity);
    const steps = areRead ? await this.activities.findOpenSteps(request) : [];
    return { activity, steps };
  }

  /**
   * The warning that a document is large, as in lists. Readers of a filtered view must not learn how much is hidden.
   */
  async notes({ head, filter }: AuthorizedSnapshot): Promise<readonly string[]> {
    if (filter) return [];
    const { tokenThreshold } = await this.settings.find(head.workspace);
    const warning = warningOf(head.tokens, tokenThreshold);
    if (!warning) return [];
    const hint =
      warning.code === 'over-token-threshold'
        ? `, GET /v1/contexts/${head.contextId}/view is within a budget`
        : '';
    return [`${warning.code}: ${head.tokens} tokens of ${tokenThreshold}${hint}`];
  }

  /**
   * The head at the newest version that changed a visible item. Hidden events must not affect last-modified time and
   * author.
   */
  async #lastVisibleHead({ head, state }: AuthorizedSnapshot) {
    const version = versionsOf(state.values()).reduce((newest, one) => Math.max(newest, one), 1);
    const { head: then } = await this.contexts.reader.readAt(head, version, nothing);
    return then ?? head;
  }
}

/** Members of a document that depend on the registered agents. */
const registeredMembers = ['agents', 'quality'];

/** Members of a document that name running or failed steps. */
const stepMembers = ['currentState', 'failedSteps'];

const nothing = { keys: [], bodies: false };
const noSize = { events: 0, bytes: 0, tokens: 0 };

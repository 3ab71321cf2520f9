import { Command, Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type WorkflowFault, type WorkflowReport, type WorkflowSource } from '#workflow';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** A version of a definition, without the definition itself. */
export type WorkflowView = Readonly<{
  definitionId: string;
  version: number;
  /** SHA-256 of the canonical form: the same content always has this version. */
  hash: string;
  description: string | null;
  enabled: boolean;
  /** The agents that may start runs of this workflow; null if all may. */
  visibleTo: readonly string[] | null;
  /** The number of steps, including those within parallel steps. */
  steps: number;
  publishedAt: string;
  publishedBy: string;
}>;

export type WholeWorkflowView = WorkflowView & Readonly<{ definition: JsonObject }>;

/**
 * `stored`: a new version; `in-force-again`: an earlier version became current; `unchanged`: the version was current
 * already.
 */
export type PublicationOutcome = 'stored' | 'in-force-again' | 'unchanged';

export type PublishedWorkflow = Readonly<{
  view: WorkflowView;
  outcome: PublicationOutcome;
  warnings: readonly WorkflowFault[];
}>;

/** Validates a definition for this workspace without storing it. */
export class ValidateWorkflowQuery extends Query<WorkflowReport> {
  constructor(
    readonly principal: Principal,
    readonly source: WorkflowSource,
  ) {
    super();
  }
}

/** Makes a definition the current version, for runs that start from now on. */
export class PublishWorkflowCommand extends Command<PublishedWorkflow> {
  constructor(
    readonly principal: Principal,
    readonly source: WorkflowSource,
  ) {
    super();
  }
}

/** The current versions, ordered by id. */
export class ListWorkflowsQuery extends Query<Page<WorkflowView>> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** Finds a version; the current one by default. */
export class FindWorkflowQuery extends Query<WholeWorkflowView> {
  constructor(
    readonly principal: Principal,
    readonly definitionId: string,
    readonly version?: number,
  ) {
    super();
  }
}

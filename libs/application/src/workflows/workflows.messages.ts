import { Command, Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type WorkflowFault, type WorkflowReport, type WorkflowSource } from '#workflow';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** A version of a definition, without the definition itself. */
export type WorkflowView = Readonly<{
  definitionId: string;
  version: number;
  /** SHA-256 of the canonical form: the content has this version, whenever it is published. */
  hash: string;
  description: string | null;
  enabled: boolean;
  /** Null if everybody who may start runs may start this one. */
  visibleTo: readonly string[] | null;
  /** How many steps it has, those within parallel steps included. */
  steps: number;
  publishedAt: string;
  publishedBy: string;
}>;

export type WholeWorkflowView = WorkflowView & Readonly<{ definition: JsonObject }>;

/** `stored`: a new version; `in-force-again`: an earlier one; `unchanged`: the one that was in force. */
export type PublicationOutcome = 'stored' | 'in-force-again' | 'unchanged';

export type PublishedWorkflow = Readonly<{
  view: WorkflowView;
  outcome: PublicationOutcome;
  warnings: readonly WorkflowFault[];
}>;

/** What is wrong with a definition in this workspace; stores nothing. */
export class ValidateWorkflowQuery extends Query<WorkflowReport> {
  constructor(
    readonly principal: Principal,
    readonly source: WorkflowSource,
  ) {
    super();
  }
}

/** Puts a definition in force for runs that start from now on. */
export class PublishWorkflowCommand extends Command<PublishedWorkflow> {
  constructor(
    readonly principal: Principal,
    readonly source: WorkflowSource,
  ) {
    super();
  }
}

/** The versions in force, by id. */
export class ListWorkflowsQuery extends Query<Page<WorkflowView>> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** A version, or the one in force. */
export class FindWorkflowQuery extends Query<WholeWorkflowView> {
  constructor(
    readonly principal: Principal,
    readonly definitionId: string,
    readonly version?: number,
  ) {
    super();
  }
}

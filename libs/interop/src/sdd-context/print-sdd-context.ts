import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { type ContextToWrite } from '../documents/document-format.js';
import { defined } from '../json/defined.js';
import { figuresOf, iterationsBefore } from './sdd-figures.js';
import { listsOf } from './sdd-lists.js';
import { knownMembers } from './sdd-schema.js';

const members: ReadonlySet<string> = new Set(knownMembers);

/** A context.json of a context that was not imported from one. */
export function printSddContext({ document, baseline }: ContextToWrite): string {
  const { metadata, globalContext } = document;
  const lists = new Map(
    listsOf(document, iterationsBefore(baseline)).map(({ path, entries }) => [
      path.join('/'),
      entries.map(({ value }) => value),
    ]),
  );
  const list = (path: string) => lists.get(path) ?? [];
  const { iterationCounts, breakers, metrics } = figuresOf(document, baseline);
  const known = defined({
    feature_id: metadata['feature_id'] ?? document.contextId,
    feature_name: document.title ?? undefined,
    workflow_version: metadata['workflow_version'],
    created_at: metadata['created_at'] ?? document.createdAt ?? undefined,
    updated_at: document._lastModifiedAt,
    current_state: currentState(document),
    completed_phases: list('completed_phases'),
    iteration_counts: iterationCounts,
    circuit_breaker_status: breakers,
    handover_notes: list('handover_notes'),
    decisions: list('decisions'),
    review_history: list('review_history'),
    requirements_summary: {
      functional: list('requirements_summary/functional'),
      non_functional: list('requirements_summary/non_functional'),
      constraints: list('requirements_summary/constraints'),
    },
    dependencies: {
      external: list('dependencies/external'),
      internal: list('dependencies/internal'),
      blockers: list('dependencies/blockers'),
    },
    risks: list('risks'),
    metrics,
  });
  return `${JSON.stringify({ ...known, ...othersIn(globalContext) }, null, 2)}\n`;
}

/** The current state without null members. */
export function currentState({ currentState: state }: ContextDocument): JsonObject {
  // The state of a document is JSON throughout.
  return defined({
    phase: state.phase ?? undefined,
    active_agent: state.activeAgent ?? undefined,
    active_task: state.activeTask ?? undefined,
    status: state.status,
  }) as JsonObject;
}

/**
 * Members that the format does not have. Members with names of the format are left out: agents may have set them, but
 * they are other parts of the document.
 */
export function othersIn(globalContext: ContextDocument['globalContext']): JsonObject {
  const others = globalContext['sdd'];
  if (!isJsonObject(others)) return {};
  return Object.fromEntries(Object.entries(others).filter(([name]) => !members.has(name)));
}

import { type JsonValue } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { itemRef } from '../documents/item-ref.js';
import { decisionEntry } from '../json/decision-entry.js';
import {
  handoverEntry,
  phaseEntry,
  requirementEntry,
  reviewEntry,
  riskEntry,
} from './sdd-entries.js';
import { dependencyLists, requirementLists } from './sdd-schema.js';

/** An entry of a list of a context.json, with its item. */
export type SddEntry = Readonly<{ ref: string; value: JsonValue }>;

type SddList = Readonly<{ path: readonly string[]; entries: readonly SddEntry[] }>;

/** All lists with items of a context as entries. `before`: iterations of a phase before the import. */
export function listsOf(
  document: ContextDocument,
  before: (phase: string) => number,
): readonly SddList[] {
  return [
    listOf(['completed_phases'], document.completedPhases, (phase) => ({
      ref: itemRef('phase', phase.phase),
      value: phaseEntry(phase, before(phase.phase)),
    })),
    listOf(['handover_notes'], document.handoverNotes, (handover) => ({
      ref: itemRef('handover', handover.handoverId),
      value: handoverEntry(handover),
    })),
    listOf(['decisions'], document.decisionHistory, (decision) => ({
      ref: itemRef('decision', decision.decisionId),
      value: decisionEntry(decision),
    })),
    listOf(['review_history'], document.reviewHistory, (review) => ({
      ref: itemRef('review', review.reviewId),
      value: reviewEntry(review),
    })),
    ...requirementLists.map(([list, kind]) => requirementsOf(document, list, kind)),
    ...dependencyLists.map((kind) =>
      listOf(['dependencies', kind], document.dependencies[kind], ({ name }) => ({
        ref: itemRef('dependency', name),
        value: name,
      })),
    ),
    listOf(['dependencies', 'blockers'], openBlockers(document), (blocker) => ({
      ref: itemRef('blocker', blocker.blockerId),
      value: blocker.description,
    })),
    listOf(['risks'], document.risks, (risk) => ({
      ref: itemRef('risk', risk.riskId),
      value: riskEntry(risk),
    })),
  ];
}

/** The format lists only open blockers. */
function openBlockers({ dependencies }: ContextDocument) {
  return dependencies.blockers.filter(({ status }) => status !== 'cleared');
}

function requirementsOf({ requirements }: ContextDocument, list: string, kind: string): SddList {
  const own = requirements.filter((requirement) => requirement.kind === kind);
  return {
    path: ['requirements_summary', list],
    entries: own.map((requirement, at) => ({
      ref: itemRef('requirement', requirement.requirementId),
      value: requirementEntry(requirement, `${list}-${at + 1}`),
    })),
  };
}

function listOf<Item>(
  path: readonly string[],
  items: readonly Item[],
  entry: (item: Item) => SddEntry,
): SddList {
  return { path, entries: items.map(entry) };
}

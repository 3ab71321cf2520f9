import { type ContextDocument } from '../documents/context-document.js';
import { type ContextToWrite, type WrittenDocuments } from '../documents/document-format.js';
import { notCarried } from '../json/not-carried.js';
import { patchedSources } from '../json/patched-sources.js';
import { isSession } from './is-session.js';
import { patchBmadSession } from './patch-bmad-session.js';
import { printBmadSession } from './print-bmad-session.js';

/** Writes a session, and its YAML unchanged: agents and transformations are not part of a context. */
export function writeBmadSession(context: ContextToWrite): WrittenDocuments {
  const { document, sources } = context;
  const sessions = sources.filter(isSession);
  const patched = patchedSources(sessions, (source) => patchBmadSession(document, source));
  const name = sessions[0]?.name ?? 'session.json';
  const written = patched ?? [{ name, text: printBmadSession(context) }];
  const rules = sources
    .filter((source) => !isSession(source))
    .map((source) => ({ name: source.name, text: source.pieces.map(({ text }) => text).join('') }));
  return { documents: [...written, ...rules], notCarried: notCarriedBySession(document) };
}

function notCarriedBySession(document: ContextDocument): readonly string[] {
  const { dependencies, handoverNotes, requirements, reviewHistory, risks, records } = document;
  const needs = [dependencies.external, dependencies.internal, dependencies.blockers].flat();
  return notCarried(document, [
    ['tasks', document.tasks.length > 0],
    ['phases', document.completedPhases.length > 0],
    ['iterations', Object.keys(document.iterationCounts).length > 0],
    ['handovers', handoverNotes.length > 0],
    ['reviews', reviewHistory.length > 0],
    ['requirements', requirements.length > 0],
    ['risks', risks.length > 0],
    ['dependencies and blockers', needs.length > 0],
    ['records', records.length > 0],
    ['topics of decisions', document.decisionHistory.some(({ topic }) => topic !== undefined)],
  ]);
}

import { type ContextDocument } from '../documents/context-document.js';
import {
  type ContextToWrite,
  type NamedText,
  type WrittenDocuments,
  type WrittenSource,
} from '../documents/document-format.js';
import { entryBy } from '../documents/entry-index.js';
import { itemOfRef } from '../documents/item-ref.js';
import { printedBody } from './body-text.js';
import { hasCheckBoxPlace } from './changed-criterion.js';
import { changedPiece } from './changed-piece.js';
import { printStatement } from './changed-facts.js';
import { insertItems } from './insert-items.js';
import { newItems } from './new-items.js';
import { oneLine } from './print-items.js';
import { isGateFile } from './read-gate-file.js';
import { type StoryFacts, factsIn } from './story-facts.js';
import { printPart, storyParts } from './story-sections-text.js';

/**
 * Writes the stories that the context was imported from, with later changes and otherwise unchanged, or a new story if
 * there is none. Gate files stay unchanged, because a review never changes.
 */
export function writeStory({ document, baseline, sources }: ContextToWrite): WrittenDocuments {
  const items = newItems(document, sources);
  const main = sources.find((one) => !isGate(one));
  const documents = sources.map((source) => ({
    name: source.name,
    text: writeSource(source, document, source === main ? items : undefined),
  }));
  const isNew = main === undefined && (sources.length === 0 || storyParts(items).length > 0);
  if (isNew) documents.push(newStory({ ...document, ...items }));
  return { documents, notCarried: notCarried({ document, baseline, sources }) };
}

function isGate({ name, pieces }: WrittenSource): boolean {
  return isGateFile({ name, text: pieces.map(({ text }) => text).join('') });
}

function writeSource(
  { pieces, before }: WrittenSource,
  now: ContextDocument,
  items: ReturnType<typeof newItems> | undefined,
): string {
  const written = pieces.map((piece) => ({
    text: changedPiece(piece, { before, now }),
    items: piece.items,
  }));
  if (items) insertItems(written, items);
  return written.map(({ text }) => text).join('');
}

function newStory(document: ContextDocument): NamedText {
  const facts = factsIn(document.globalContext['story']);
  const statement = printStatement(facts);
  const parts = [
    `# ${headingOf(document)}\n`,
    ...epicLine(facts),
    ...(facts.status === null ? [] : [`## Status\n\n${printedBody(oneLine(facts.status))}\n`]),
    ...(statement === '' ? [] : [`## Story\n\n${statement}`]),
    ...storyParts(document).map(printPart),
  ];
  return { name: `${document.contextId}.md`, text: parts.join('\n') };
}

/** The epic, unless the number of the story includes it. */
function epicLine({ epic, number }: StoryFacts): string[] {
  const isRedundant = epic === null || number?.startsWith(`${epic}.`) === true;
  return isRedundant ? [] : [`**Epic:** ${oneLine(epic)}\n`];
}

function headingOf({ title, contextId, globalContext }: ContextDocument): string {
  const facts = factsIn(globalContext['story']);
  if (facts.title !== null && facts.number !== null)
    return oneLine(`Story ${facts.number}: ${facts.title}`);
  return oneLine(title ?? '') || oneLine(facts.title ?? '') || `Story ${contextId}`;
}

/** Whether a criterion outside of a list has become met or unmet: it has no check box to show this. */
function hidesMet({ pieces, before }: WrittenSource, now: ContextDocument): boolean {
  return pieces.some(({ text, items }) =>
    items.some((ref) => {
      const { kind, key } = itemOfRef(ref);
      if (kind !== 'requirement' || hasCheckBoxPlace(text)) return false;
      const [old, said] = [before, now].map(({ requirements }) =>
        entryBy(requirements, 'requirementId', key),
      );
      return said !== undefined && old?.met !== said.met;
    }),
  );
}

type ContentCheck = readonly [words: string, isThere: boolean];

/** The content of the context for which a story has no place. */
function notCarried({ document, baseline, sources }: ContextToWrite): string[] {
  const { dependencies, tasks, requirements, globalContext } = document;
  const parts: readonly ContentCheck[] = [
    ['outputs of steps', Object.keys(document.stepOutputs).length > 0],
    ['preferences', Object.keys(document.userPreferences).length > 0],
    [
      'global context other than the story',
      Object.keys(globalContext).some((name) => name !== 'story'),
    ],
    ['phases', document.completedPhases.length > 0],
    ['iterations', Object.keys(document.iterationCounts).length > 0],
    ['handovers', document.handoverNotes.length > 0],
    ['requests for input', document.inputRequests.length > 0],
    ['risks', document.risks.length > 0],
    ['dependencies', dependencies.external.length + dependencies.internal.length > 0],
    ['blockers', dependencies.blockers.length > 0],
    ['signals', document.signals.length > 0],
    [
      'order and estimates of tasks',
      tasks.some((one) => one.dependsOn.length > 0 || one.estimate !== undefined),
    ],
    ['reasons of blocked tasks', tasks.some(({ status }) => status === 'blocked')],
    ['criteria that are met', sources.some((source) => hidesMet(source, document))],
    ['kinds of requirements', requirements.some(({ kind }) => kind !== 'functional')],
    ['figures of another system', baseline !== null],
  ];
  return parts.filter(([, isThere]) => isThere).map(([words]) => words);
}

import {
  type DecisionFacts,
  type EarlierImport,
  type KnownItem,
  type NamedText,
  type ReadingOptions,
  matchedKinds,
} from '#interop';
import { type ContextReader, type ContextSnapshot, type Selection } from '#read-models';
import {
  type ContextHead,
  type SourceDocument,
  findDecision,
  sourceDocuments,
} from '#shared-context';

import { reaches } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { findFormat } from './document-formats.js';

/**
 * The documents from which a context was imported in a format. `head` is undefined if the context is missing or out of
 * reach.
 */
export type KnownSources = Readonly<{
  head: ContextHead | undefined;
  sources: readonly SourceDocument[];
  /** Facts about the decisions of the context. */
  decisions: DecisionFacts;
  /** Items of the context that documents of the format may repeat. */
  items: readonly KnownItem[];
}>;

/** Takes the same time for a context out of reach as for a missing one. */
export async function findSources(
  reader: ContextReader,
  {
    principal,
    contextId,
    format,
  }: Readonly<{ principal: Principal; contextId: string; format: string }>,
): Promise<KnownSources> {
  const id = { workspace: principal.workspace, contextId };
  const { head } = await reader.read(id, { keys: [], bodies: false });
  if (!head || !reaches(principal, head)) return nothingKnown;
  return known(await reader.read(id, selectionOf(format)), format);
}

function known({ head, state }: ContextSnapshot, format: string): KnownSources {
  const items = [...state.values()];
  const statusOf = (decisionId: string) => findDecision(decisionId, state.lookup)?.status;
  return {
    head,
    sources: sourceDocuments(items).filter((source) => source.format === format),
    decisions: {
      isLive: (decisionId) => statusOf(decisionId) === 'live',
      isPending: (decisionId) => statusOf(decisionId) === 'pending',
    },
    items: items.filter(({ kind }) => kind !== 'source'),
  };
}

const nothingKnown: KnownSources = {
  head: undefined,
  sources: [],
  items: [],
  decisions: { isLive: () => false, isPending: () => false },
};

/** A format without an export cannot return items of the context, so its imports compare only sources. */
function selectionOf(format: string): Selection {
  return { kinds: findFormat(format).write ? ['source', ...matchedKinds] : ['source'] };
}

/** Combines the documents of an import with those imported earlier, because they may refer to each other. */
export function withEarlier(
  documents: readonly NamedText[],
  sources: readonly SourceDocument[],
): readonly NamedText[] {
  const names = new Set(sources.map(({ name }) => name));
  const revised = new Map(documents.map((document) => [document.name, document]));
  return [
    ...sources.map((source) => revised.get(source.name) ?? textOf(source)),
    ...documents.filter(({ name }) => !names.has(name)),
  ];
}

/** Reads the documents that were imported earlier with the reader of this release. */
export function readEarlier(
  format: string,
  sources: readonly SourceDocument[],
  options: ReadingOptions,
): EarlierImport | undefined {
  const { read } = findFormat(format);
  if (!read || sources.length === 0) return undefined;
  return { sources, reading: read(sources.map(textOf), options) };
}

function textOf({ name, pieces }: SourceDocument): NamedText {
  return { name, text: pieces.map(({ text }) => text).join('') };
}

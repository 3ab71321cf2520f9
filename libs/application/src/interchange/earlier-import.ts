import {
  type DecisionFacts,
  type EarlierImport,
  type NamedText,
  type ReadingOptions,
} from '#interop';
import { type ContextHead, type ContextId, type ContextReader, type Selection } from '#read-models';
import { type SourceDocument, findDecision, sourceDocuments } from '#shared-context';

import { findFormat } from './document-formats.js';

/** What a context was imported from in a format; `head` is undefined if there is no such context. */
export type KnownSources = Readonly<{
  head: ContextHead | undefined;
  sources: readonly SourceDocument[];
  /** Of the decisions of the context. */
  decisions: DecisionFacts;
}>;

export async function findSources(
  reader: ContextReader,
  id: ContextId,
  format: string,
): Promise<KnownSources> {
  const { head, state } = await reader.read(id, selection);
  const sources = sourceDocuments([...state.values()]);
  const statusOf = (decisionId: string) => findDecision(decisionId, state.lookup)?.status;
  return {
    head,
    sources: sources.filter((source) => source.format === format),
    decisions: {
      isLive: (decisionId) => statusOf(decisionId) === 'live',
      isPending: (decisionId) => statusOf(decisionId) === 'pending',
    },
  };
}

const selection: Selection = { kinds: ['source', 'decision'], bodies: ['source'] };

/** The documents of an import among those that were imported before, which may refer to each other. */
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

/** What this release reads in the documents that were imported before. */
export function readEarlier(
  format: string,
  sources: readonly SourceDocument[],
  options: ReadingOptions,
): EarlierImport | undefined {
  const { read } = findFormat(format);
  if (!read || sources.length === 0) return undefined;
  return { sources, reading: read(sources.map(textOf), options) };
}

export function textOf({ name, pieces }: SourceDocument): NamedText {
  return { name, text: pieces.map(({ text }) => text).join('') };
}

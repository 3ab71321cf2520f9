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

/** What a context was imported from in a format; `head` is undefined if there is no such context within reach. */
export type KnownSources = Readonly<{
  head: ContextHead | undefined;
  sources: readonly SourceDocument[];
  /** Of the decisions of the context. */
  decisions: DecisionFacts;
  /** What the context has that documents of the format may say again. */
  items: readonly KnownItem[];
}>;

/** A context out of reach takes as long as one that is not there. */
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

/** What only enters is never printed, so it does not come back either. */
function selectionOf(format: string): Selection {
  return { kinds: findFormat(format).write ? ['source', ...matchedKinds] : ['source'] };
}

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

function textOf({ name, pieces }: SourceDocument): NamedText {
  return { name, text: pieces.map(({ text }) => text).join('') };
}

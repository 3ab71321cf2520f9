import { Injectable } from '@nestjs/common';

import {
  type ContextDocument,
  type WrittenSource,
  areSame,
  readContextDocument,
  withEntriesOf,
} from '#interop';
import { wholeDocument } from '#read-models';
import { type SourceDocument } from '#shared-context';
import { everything } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Documents } from '../reading/documents.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';

type ContextRequest = Readonly<{
  principal: Principal;
  contextId: string;
  signal?: AbortSignal | undefined;
}>;

/** Reads a context as it was when it agreed with its imported documents. */
@Injectable()
export class PastDocuments {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
  ) {}

  /** Returns each document with the context at the versions at which its parts agreed with it. */
  async withBefore(
    target: ContextRequest,
    sources: readonly SourceDocument[],
  ): Promise<readonly WrittenSource[]> {
    const versions = new Set(sources.flatMap(versionsIn));
    const past = new Map(
      await Array.fromAsync(
        versions,
        async (version) => [version, await this.#at(target, version)] as const,
      ),
    );
    return sources.map(({ name, pieces, removed, version }) => ({
      name,
      pieces,
      removed,
      before: pieces.reduce(
        (before, { items, agreedAt }) =>
          agreedAt === undefined
            ? before
            : withEntriesOf(before, items, documentAt(past, agreedAt)),
        documentAt(past, version),
      ),
    }));
  }

  /**
   * The items of these documents that have changed since, with the last version at which they agreed with the
   * documents.
   */
  async changedItems(
    target: ContextRequest,
    sources: readonly SourceDocument[],
  ): Promise<ReadonlyMap<string, number>> {
    if (sources.length === 0) return new Map();
    const now = await this.#at(target, undefined);
    const written = await this.withBefore(target, sources);
    const changed = written.flatMap((source, at) =>
      changesSince(source, sources[at]?.version ?? 0, now),
    );
    // The earliest version of each item wins.
    return new Map(changed.toSorted(([, left], [, right]) => right - left));
  }

  /**
   * Reads the context now or at a version. Items that a fork inherited are older than its version 1: for those
   * versions, items that have changed since are omitted.
   */
  async #at(target: ContextRequest, version: number | undefined): Promise<ContextDocument> {
    const known = version === undefined ? {} : { known: Math.max(1, version) };
    const request = { ...target, audience: everything, ...known };
    const snapshot = await this.contexts.read(request, wholeDocument);
    const document = readContextDocument(await this.documents.render(snapshot));
    if (version === undefined || version > 0) return document;
    const changed = [...snapshot.state.values()].filter(({ fromVersion }) => fromVersion > version);
    return withEntriesOf(
      document,
      changed.map(({ kind, key }) => `${kind}:${key}`),
    );
  }
}

function changesSince(
  { before, pieces }: WrittenSource,
  version: number,
  now: ContextDocument,
): readonly (readonly [item: string, agreedAt: number])[] {
  return pieces.flatMap(({ items, agreedAt = version }) =>
    items.filter((item) => !areSame([item], before, now)).map((item) => [item, agreedAt] as const),
  );
}

function versionsIn({ version, pieces }: SourceDocument): readonly number[] {
  return [version, ...pieces.flatMap(({ agreedAt }) => agreedAt ?? [])];
}

function documentAt(past: ReadonlyMap<number, ContextDocument>, version: number): ContextDocument {
  const document = past.get(version);
  if (!document) throw new Error(`version ${version} was not read`);
  return document;
}

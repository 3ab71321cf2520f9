import { Injectable } from '@nestjs/common';

import { type ContextReader } from '#read-models';
import { type ContextId, ContextNotFoundError } from '#shared-context';
import { FilteredReader } from '#visibility';

import { InvalidPositionError, positionNamed } from '../errors.js';
import { resolvePosition } from '../reading/as-of.js';
import {
  type ComparisonPosition,
  type Range,
  decodeComparisonCursor,
} from './comparison-cursor.js';

type RangeRequest = Readonly<{
  from: string;
  to?: string | undefined;
  cursor?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** Determines the range that a request compares, and the position at which its page begins. */
@Injectable()
export class ComparisonRanges {
  readonly #reader: ContextReader;

  constructor(filteredReader: FilteredReader) {
    this.#reader = filteredReader.reader;
  }

  async find(
    head: ContextId & Readonly<{ version: number }>,
    { cursor, ...positions }: RangeRequest,
  ): Promise<Readonly<{ range: Range; place: ComparisonPosition }>> {
    if (cursor !== undefined) return decodeComparisonCursor(cursor, head);
    const range = await this.#resolve(head, positions);
    return { range, place: { version: range.from, nth: 0 } };
  }

  /** The versions of two positions; `from` is 0 before the first event, `to` is the head by default. */
  async #resolve(
    id: ContextId & Readonly<{ version: number }>,
    { signal, ...positions }: Omit<RangeRequest, 'cursor'>,
  ): Promise<Range> {
    const versionOf = (member: 'from' | 'to') =>
      positionNamed(member, resolvePosition(this.#reader, id, positions[member], signal));
    const from = (await versionOf('from')) ?? 0;
    const to = (await versionOf('to')) ?? Math.max(id.version, from);
    if (to === 0) throw new ContextNotFoundError();
    if (from > to)
      throw new InvalidPositionError(
        `from is version ${from} and to is version ${to}: a difference goes forward in time, so exchange the two`,
        'from',
      );
    return { workspace: id.workspace, contextId: id.contextId, from, to };
  }
}

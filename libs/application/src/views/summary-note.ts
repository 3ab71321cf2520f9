import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type SummaryStatus, findSummaryStatus } from '#read-models';
import { type ContextId } from '#shared-context';

import { DATABASE, MAY_SUMMARIZE } from '../tokens.js';

/** Notes for readers that explain why no summary covers the entries that a view shortens. */
@Injectable()
export class SummaryNote {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(MAY_SUMMARIZE) private readonly isPossible: boolean,
  ) {}

  /** Only for readers who see everything. Undefined if no summarizer is configured, or if no summary is missing. */
  async find(id: ContextId): Promise<string | undefined> {
    const status = this.isPossible ? await findSummaryStatus(this.db, id) : undefined;
    return status && noteOf(status);
  }
}

export function noteOf({ failures, nextAt, isRunning }: SummaryStatus): string {
  const behind = 'a model has not summarized the old entries yet';
  // prose-ignore: part of views
  const when = isRunning ? 'being asked now' : 'asked again';
  const from = isRunning || !nextAt ? '' : ` from ${nextAt.toISOString()} on`;
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  // prose-ignore: part of views
  const why = failures > 0 ? `it failed ${times} and is ${when}${from}` : 'it is being asked now';
  return `${behind}: ${why}; until then, digests, lines and roll-ups represent them`;
}

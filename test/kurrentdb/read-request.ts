import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';

import { invalidArgument, unexpected } from './grpc-errors.js';
import { type Position, int64Max } from './log-record.js';
import { type AllRead, type EventFilter, type StreamRead, isShown } from './reading.js';
import { toStreamName } from './wire.js';

export type Subscribing = Readonly<{ isSubscription: boolean; resolvesLinks: boolean }>;

export type StreamRequest = StreamRead & Subscribing & Readonly<{ target: 'stream' }>;

export type AllRequest = AllRead &
  Subscribing &
  Readonly<{ target: 'all'; checkpoints: CheckpointInterval | undefined }>;

export type CheckpointInterval = Readonly<{ searchWindow: number; multiplier: number }>;

/** DefaultReadBatchSize in Enumerator.cs: the default number of events in a page. */
export const pageSize = 32;

const forwards: ReadReq.Options.ReadDirection = 0;

export function parseReadRequest(request: ReadReq): StreamRequest | AllRequest {
  const options = request.getOptions();
  if (!options) throw invalidArgument('options are required.');
  const shared = {
    direction:
      options.getReadDirection() === forwards ? ('forwards' as const) : ('backwards' as const),
    isSubscription: options.hasSubscription(),
    resolvesLinks: options.getResolveLinks(),
    count: options.hasSubscription() ? Infinity : Number(options.getCount()),
  };
  const stream = options.getStream();
  if (stream) return { ...shared, target: 'stream', ...parseStream(stream) };
  const all = options.getAll();
  if (!all) throw invalidArgument("'None' is not a valid stream option.");
  const filter = options.getFilter();
  return {
    ...shared,
    target: 'all',
    from: parseFrom(all, () => parsePosition(all)),
    filter: filter ? parseFilter(filter) : isShown,
    checkpoints: filter && {
      searchWindow: filter.hasMax() ? filter.getMax() : pageSize,
      multiplier: filter.getCheckpointintervalmultiplier(),
    },
  };
}

function parseStream(options: ReadReq.Options.StreamOptions): Pick<StreamRead, 'stream' | 'from'> {
  return {
    stream: toStreamName(options.getStreamIdentifier()),
    from: parseFrom(options, () => BigInt(options.getRevision())),
  };
}

function parseFrom<Place>(
  options: Readonly<{ hasStart(): boolean; hasEnd(): boolean }>,
  place: () => Place,
): Place | 'start' | 'end' {
  if (options.hasStart()) return 'start';
  return options.hasEnd() ? 'end' : place();
}

function parsePosition(options: ReadReq.Options.AllOptions): Position {
  const commit = BigInt(options.getPosition()?.getCommitPosition() ?? 0);
  const prepare = BigInt(options.getPosition()?.getPreparePosition() ?? 0);
  // Position.cs: a position that exists in no log.
  if (commit < prepare || commit > int64Max) throw unexpected();
  return { commit, prepare };
}

/** The server accepts a .NET regular expression; common ones are valid in JavaScript, too. */
function parseFilter(options: ReadReq.Options.FilterOptions): EventFilter {
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  if (!expression) throw invalidArgument('A filter needs an expression.');
  const regex = expression.getRegex();
  const prefixes = expression.getPrefixList();
  const matches = regex
    ? testing(regex)
    : (text: string) => prefixes.some((prefix) => text.startsWith(prefix));
  return (record) => isShown(record) && matches(byStream ? record.stream : record.type);
}

function testing(regex: string): (text: string) => boolean {
  const compiled = new RegExp(regex);
  return (text) => compiled.test(text);
}

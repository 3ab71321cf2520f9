import any_pb from 'google-protobuf/google/protobuf/any_pb.js';
import empty_pb from 'google-protobuf/google/protobuf/empty_pb.js';
import shared_pb from '@eventstore/db-client/generated/shared_pb.js';
import status_pb from '@eventstore/db-client/generated/status_pb.js';
import streams_pb from '@eventstore/db-client/generated/streams_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';

import { type ExpectedRevision } from './append-decision.js';
import {
  CallFailure,
  invalidArgument,
  maxAppendSizeExceeded,
  streamDeleted,
} from './grpc-errors.js';
import { type NewEvent, sizeOnDisk } from './log-record.js';
import { type AppendOutcome } from './log-writer.js';
import { toExpected, toIdentifier, toNewEvent, toStreamName } from './wire.js';

// The two forms of an append on the wire, and of its answers.

export type Append = Readonly<{
  stream: string;
  expected: ExpectedRevision;
  events: readonly NewEvent[];
}>;

/** All outcomes except success, by their names in shared.proto: the content of the answer to a batch. */
export type BatchError =
  | 'AccessDenied'
  | 'Timeout'
  | 'Empty'
  | Readonly<{ maximumAppendSize: number }>
  | Readonly<{ badRequest: string }>;

/** The first message has the stream and its expected revision; the others are the events. */
export async function collectAppend(
  messages: AsyncIterable<AppendReq>,
  maxAppendSize: number,
): Promise<Append> {
  let target: Omit<Append, 'events'> | undefined;
  const events: NewEvent[] = [];
  let size = 0;
  for await (const message of messages) {
    const options = message.getOptions();
    const proposed = message.getProposedMessage();
    if (options)
      target = {
        stream: toStreamName(options.getStreamIdentifier()),
        expected: toExpected(options, options.getRevision()),
      };
    if (!proposed) continue;
    const event = toNewEvent(proposed);
    size += sizeOnDisk(event);
    if (size > maxAppendSize) throw maxAppendSizeExceeded(maxAppendSize);
    events.push(event);
  }
  if (!target) throw invalidArgument('options are required.');
  return { ...target, events };
}

export function toAppendAnswer(append: Append, outcome: AppendOutcome): AppendResp {
  const answer = new streams_pb.AppendResp();
  switch (outcome.outcome) {
    case 'stream-deleted':
      throw streamDeleted(append.stream);
    case 'success':
      return answer.setSuccess(toAppendSuccess(outcome));
    case 'wrong-expected-version':
      return answer.setWrongExpectedVersion(toAppendConflict(append.expected, outcome.current));
  }
}

/** The state of a batch; only its first frame has the options. */
export class Batch {
  readonly #events: NewEvent[] = [];
  #size = 0;

  private constructor(
    readonly stream: string,
    private readonly expected: ExpectedRevision,
    private readonly deadline: number,
  ) {}

  static begin(options: BatchAppendReq.Options): Batch {
    const deadline = options.getDeadline();
    return new Batch(
      toStreamName(options.getStreamIdentifier()),
      toExpected(options, options.getStreamPosition()),
      deadline ? deadline.toDate().getTime() : Infinity,
    );
  }

  get append(): Append {
    return { stream: this.stream, expected: this.expected, events: this.#events };
  }

  get size(): number {
    return this.#size;
  }

  /** The deadline is in the time of the client's clock, and compared with the server's clock. */
  get isLate(): boolean {
    return this.deadline <= Date.now();
  }

  add(messages: readonly BatchAppendReq.ProposedMessage[]): void {
    for (const message of messages) {
      const event = toNewEvent(message);
      this.#size += sizeOnDisk(event);
      this.#events.push(event);
    }
  }
}

export function toBatchAnswer(
  correlationId: UUID | undefined,
  { stream, expected }: Append,
  outcome: AppendOutcome,
): BatchAppendResp {
  const answer = newBatchAnswer(correlationId, stream);
  switch (outcome.outcome) {
    case 'success':
      return answer.setSuccess(toBatchSuccess(outcome));
    case 'stream-deleted': {
      const details = new shared_pb.StreamDeleted().setStreamIdentifier(toIdentifier(stream));
      return answer.setError(toStatus('StreamDeleted', details.serializeBinary()));
    }
    case 'wrong-expected-version': {
      const details = toBatchConflict(expected, outcome.current);
      return answer.setError(toStatus('WrongExpectedVersion', details.serializeBinary()));
    }
  }
}

export function toBatchFailure(
  correlationId: UUID | undefined,
  stream: string,
  error: BatchError,
): BatchAppendResp {
  const answer = newBatchAnswer(correlationId, stream);
  if (error === 'Empty')
    return answer.setError(toStatus('Empty', new Uint8Array(), 'Server Is Not Ready'));
  if (typeof error === 'string') return answer.setError(toStatus(error, new Uint8Array()));
  if ('badRequest' in error) {
    const details = new shared_pb.BadRequest().setMessage(error.badRequest);
    return answer.setError(toStatus('BadRequest', details.serializeBinary(), error.badRequest));
  }
  const details = new shared_pb.MaximumAppendSizeExceeded();
  details.setMaxappendsize(error.maximumAppendSize);
  return answer.setError(toStatus('MaximumAppendSizeExceeded', details.serializeBinary()));
}

export function toBadRequest(error: unknown): BatchError {
  if (error instanceof CallFailure) return { badRequest: error.details };
  throw error;
}

type Success = Extract<AppendOutcome, { outcome: 'success' }>;

function toAppendSuccess({ lastRevision, position }: Success): AppendResp.Success {
  const success = new streams_pb.AppendResp.Success();
  if (lastRevision < 0n) success.setNoStream(new shared_pb.Empty());
  else success.setCurrentRevision(String(lastRevision));
  if (position === undefined) return success.setNoPosition(new shared_pb.Empty());
  const at = new streams_pb.AppendResp.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  return success.setPosition(at);
}

function toAppendConflict(
  expected: ExpectedRevision,
  current: bigint,
): AppendResp.WrongExpectedVersion {
  const conflict = new streams_pb.AppendResp.WrongExpectedVersion();
  if (current < 0n) conflict.setCurrentNoStream(new shared_pb.Empty());
  else conflict.setCurrentRevision(String(current));
  switch (expected) {
    case 'any':
      return conflict.setExpectedAny(new shared_pb.Empty());
    case 'no_stream':
      return conflict.setExpectedNoStream(new shared_pb.Empty());
    case 'stream_exists':
      return conflict.setExpectedStreamExists(new shared_pb.Empty());
    default:
      return conflict.setExpectedRevision(String(expected));
  }
}

function newBatchAnswer(correlationId: UUID | undefined, stream: string): BatchAppendResp {
  const answer = new streams_pb.BatchAppendResp();
  // The client reads both in each answer.
  return answer.setCorrelationId(correlationId).setStreamIdentifier(toIdentifier(stream));
}

function toBatchSuccess({ lastRevision, position }: Success): BatchAppendResp.Success {
  const success = new streams_pb.BatchAppendResp.Success();
  if (lastRevision < 0n) success.setNoStream(new empty_pb.Empty());
  else success.setCurrentRevision(String(lastRevision));
  if (position === undefined) return success.setNoPosition(new empty_pb.Empty());
  const at = new shared_pb.AllStreamPosition();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  return success.setPosition(at);
}

function toBatchConflict(expected: ExpectedRevision, current: bigint) {
  const conflict = new shared_pb.WrongExpectedVersion();
  if (current < 0n) conflict.setCurrentNoStream(new empty_pb.Empty());
  else conflict.setCurrentStreamRevision(String(current));
  switch (expected) {
    case 'any':
      return conflict.setExpectedAny(new empty_pb.Empty());
    case 'no_stream':
      return conflict.setExpectedNoStream(new empty_pb.Empty());
    case 'stream_exists':
      return conflict.setExpectedStreamExists(new empty_pb.Empty());
    default:
      return conflict.setExpectedStreamPosition(String(expected));
  }
}

function toStatus(name: string, details: Uint8Array, message = '') {
  const packed = new any_pb.Any();
  const typeName = name === 'Empty' ? 'google.protobuf.Empty' : `event_store.client.${name}`;
  packed.pack(details, typeName);
  return new status_pb.Status().setMessage(message).setDetails(packed);
}

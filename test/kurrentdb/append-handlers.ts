import { setImmediate } from 'node:timers/promises';

import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import {
  type Metadata,
  type ServerDuplexStream,
  type ServerReadableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';

import {
  type Append,
  Batch,
  collectAppend,
  toAppendAnswer,
  toBadRequest,
  toBatchAnswer,
  toBatchFailure,
} from './append-calls.js';
import { CallSession } from './call-session.js';
import { CallFailure, cancelled } from './grpc-errors.js';
import { type AppendOutcome } from './log-writer.js';
import { type ServerNode, failureOf } from './server-node.js';
import type { StreamEnd } from '../../libs/testing/src/test-kurrentdb.protocol.js';
import { toFailure } from './unary-call.js';
import { toUuidText } from './wire.js';

/** The result of an append: its outcome to be answered, or a premature end of the call. */
type AppendResult = Readonly<{ outcome: AppendOutcome }> | Readonly<{ end: StreamEnd | 'never' }>;

export function newAppendHandlers(node: ServerNode) {
  return {
    append: (
      call: ServerReadableStream<AppendReq, AppendResp>,
      callback: sendUnaryData<AppendResp>,
    ): void => {
      append(node, call).then(
        (answer) => answer && callback(null, answer),
        (error: unknown) => callback(toFailure(error)),
      );
    },
    batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
      const session = new CallSession<BatchAppendResp>(call);
      node.appendStreams.add(session);
      session.signal.addEventListener('abort', () => node.appendStreams.delete(session));
      receiveBatches(node, call, session);
    },
  };
}

/**
 * Streams.Append.cs. Undefined means that there is never an answer. After a silence, a server stores the appends that
 * it has received completely, even if the caller has given up; a real server may or may not.
 */
async function append(
  node: ServerNode,
  call: ServerReadableStream<AppendReq, AppendResp>,
): Promise<AppendResp | undefined> {
  const { signal } = new AbortController();
  const request = await collectAppend(call, node.cluster.settings.maxAppendSize);
  // A call that is reset ends here like one with complete messages; its cancellation is known a moment later.
  await setImmediate();
  if (call.cancelled) throw cancelled();
  await node.admit(call, signal, { action: 'write', stream: request.stream });
  node.requireLeader(call);
  const written = await write(node, request, signal);
  if ('outcome' in written) return toAppendAnswer(request, written.outcome);
  if (written.end === 'never') return undefined;
  throw failureOf(written.end) ?? cancelled();
}

/** Streams.BatchAppend.cs: many appends on one stream, each in one or several frames, answered in their order. */
function receiveBatches(
  node: ServerNode,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
  session: CallSession<BatchAppendResp>,
): void {
  const batches = new Map<string, Batch>();
  const receive = async (request: BatchAppendReq): Promise<void> => {
    await node.awake.pass(session.signal);
    if (session.signal.aborted) return;
    const answer = await receiveFrame(node, call.metadata, { request, batches, session });
    if (answer) await session.send(answer);
  };
  let last: Promise<void> = Promise.resolve();
  call.on('data', (request: BatchAppendReq) => {
    last = last
      .then(() => receive(request))
      .catch((error: unknown) => session.finish(toFailure(error)));
  });
  call.on('end', () => void last.then(() => session.finish()));
}

type Frame = Readonly<{
  request: BatchAppendReq;
  batches: Map<string, Batch>;
  session: CallSession<BatchAppendResp>;
}>;

async function receiveFrame(
  node: ServerNode,
  metadata: Metadata,
  { request, batches, session }: Frame,
): Promise<BatchAppendResp | undefined> {
  const correlationId = request.getCorrelationId();
  const key = toUuidText(correlationId);
  const options = request.getOptions();
  try {
    if (options) batches.set(key, Batch.begin(options));
    const batch = batches.get(key);
    if (!batch) return undefined;
    const failure = options && (await refuse(node, metadata, batch));
    if (failure) {
      batches.delete(key);
      return toBatchFailure(correlationId, batch.stream, failure);
    }
    batch.add(request.getProposedMessagesList());
    const { maxAppendSize } = node.cluster.settings;
    if (batch.size > maxAppendSize) {
      batches.delete(key);
      return toBatchFailure(correlationId, batch.stream, { maximumAppendSize: maxAppendSize });
    }
    if (!request.getIsFinal()) return undefined;
    batches.delete(key);
    return await finishBatch(node, metadata, { batch, request, session });
  } catch (error) {
    if (!isBadRequest(error)) throw error;
    const stream = batches.get(key)?.stream ?? '';
    batches.delete(key);
    return toBatchFailure(correlationId, stream, toBadRequest(error));
  }
}

async function finishBatch(
  node: ServerNode,
  metadata: Metadata,
  { batch, request, session }: Omit<Frame, 'batches'> & { batch: Batch },
): Promise<BatchAppendResp | undefined> {
  const { append: complete, stream } = batch;
  const correlationId = request.getCorrelationId();
  if (!node.cluster.leader) return toBatchFailure(correlationId, stream, 'Empty');
  node.requireLeader({ metadata });
  const written = await write(node, complete, session.signal).catch(unlessTimedOut);
  if (!written) return toBatchFailure(correlationId, stream, 'Timeout');
  if ('outcome' in written) return toBatchAnswer(correlationId, complete, written.outcome);
  if (written.end !== 'never') session.finish(failureOf(written.end));
  return undefined;
}

async function refuse(node: ServerNode, metadata: Metadata, { stream, isLate }: Batch) {
  try {
    node.cluster.access.check(metadata, node.view, { action: 'write', stream });
  } catch (error) {
    if (error instanceof CallFailure && error.code === status.PERMISSION_DENIED)
      return 'AccessDenied';
    throw error;
  }
  return isLate ? 'Timeout' : undefined;
}

async function write(
  node: ServerNode,
  { stream, expected, events }: Append,
  signal: AbortSignal,
): Promise<AppendResult> {
  const writer = await node.findWriter(signal);
  const fault = node.cluster.faults.takeAppendFault();
  if (!fault) {
    const outcome = writer.append(stream, expected, events);
    if (outcome.outcome === 'success' && outcome.position !== undefined)
      await node.committed(outcome.position, outcome.isRepeat, signal);
    return { outcome };
  }
  if (fault.isStored) writer.append(stream, expected, events);
  return { end: fault.end };
}

function unlessTimedOut(error: unknown): undefined {
  if (!(error instanceof CallFailure && error.code === status.ABORTED)) throw error;
}

function isBadRequest(error: unknown): boolean {
  return error instanceof CallFailure && error.code === status.INVALID_ARGUMENT;
}

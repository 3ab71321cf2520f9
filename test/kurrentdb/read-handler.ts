import { setTimeout } from 'node:timers/promises';

import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';

import { CallSession } from './call-session.js';
import { type LogRecord } from './log-record.js';
import { type AllRequest, type StreamRequest, parseReadRequest } from './read-request.js';
import { readAll, readStream, resolveLink } from './reading.js';
import { type ServerNode } from './server-node.js';
import { type SubscriptionSource, followAll, followStream } from './subscribing.js';
import { toFailure } from './unary-call.js';
import { toReadEvent, toStreamNotFound } from './wire.js';

type Session = CallSession<ReadResp>;

export function newReadHandler(node: ServerNode) {
  return (call: ServerWritableStream<ReadReq, ReadResp>): void => {
    const session = new CallSession<ReadResp>(call, {
      afterMs: () => node.cluster.faults.slowConsumerMs,
      abort: () => node.abortConnection(call.getPeer()),
    });
    answer(node, call, session).then(
      () => session.finish(),
      (error: unknown) => session.finish(toFailure(error)),
    );
  };
}

async function answer(
  node: ServerNode,
  call: ServerWritableStream<ReadReq, ReadResp>,
  session: Session,
): Promise<void> {
  const request = parseReadRequest(call.request);
  const stream = request.target === 'all' ? '$all' : request.stream;
  await node.admit(call, session.signal, { action: 'read', stream });
  const requireLeader = () => node.requireLeader(call);
  if (request.isSubscription) {
    const recheck = () =>
      node.cluster.access.check(call.metadata, node.view, { action: 'read', stream });
    await follow(node, session, { request, recheck, requireLeader });
  } else {
    requireLeader();
    await send(node, session, request);
  }
}

type FollowOptions = Readonly<{
  request: StreamRequest | AllRequest;
  recheck: () => void;
  requireLeader: () => void;
}>;

async function follow(
  node: ServerNode,
  session: Session,
  { request, recheck, requireLeader }: FollowOptions,
): Promise<void> {
  const { faults } = node.cluster;
  let { accessVersion } = node.cluster;
  const source: SubscriptionSource = {
    get view() {
      return node.view;
    },
    permit: async ({ signal }) => {
      if (faults.subscriptions.isClosed) await faults.subscriptions.pass(signal);
      if (node.awake.isClosed) await node.awake.pass(signal);
      // SubscriptionsService.cs: a subscriber that may no longer read its stream is disconnected.
      if (accessVersion === node.cluster.accessVersion) return;
      ({ accessVersion } = node.cluster);
      recheck();
    },
    grown: (size, signal) => node.grown(size, signal),
    requireLeader,
    takeDeliveries: () => faults.takeDeliveries(),
    takeBadCheckpoint: () => faults.takeBadCheckpoint(),
  };
  node.subscriptions.add(session);
  try {
    if (request.target === 'all') await followAll(source, session, request);
    else await followStream(source, session, request);
  } finally {
    node.subscriptions.delete(session);
  }
}

async function send(
  node: ServerNode,
  session: Session,
  request: StreamRequest | AllRequest,
): Promise<void> {
  const { view } = node;
  const { searchMs } = node.cluster.faults;
  if (request.target === 'all' && request.checkpoints && searchMs > 0) await setTimeout(searchMs);
  const records = findRecords(node, request);
  if (!records) {
    if (request.target === 'stream') await session.send(toStreamNotFound(request.stream));
    return;
  }
  for (const record of records) {
    if (node.awake.isClosed) await node.awake.pass(session.signal);
    if (session.signal.aborted) return;
    await session.send(
      toReadEvent(request.resolvesLinks ? resolveLink(view, record) : { event: record }),
    );
  }
}

function findRecords(
  { view }: ServerNode,
  request: StreamRequest | AllRequest,
): Iterable<LogRecord> | undefined {
  return request.target === 'all' ? readAll(view, request) : readStream(view, request);
}

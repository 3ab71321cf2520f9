import streams_pb from '@eventstore/db-client/generated/streams_pb.js';
import type {
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerUnaryCall } from '@grpc/grpc-js';

import { invalidArgument, streamDeleted, wrongExpectedVersion } from './grpc-errors.js';
import { type ServerNode } from './server-node.js';
import { answering } from './unary-call.js';
import { toExpected, toStreamName } from './wire.js';

export function newDeleteHandlers(node: ServerNode) {
  return {
    delete: answering<DeleteReq, DeleteResp>(async (call, signal) => {
      const at = toPosition(
        await remove(node, call, { signal, isFinal: false }),
        new streams_pb.DeleteResp.Position(),
      );
      return new streams_pb.DeleteResp().setPosition(at);
    }),
    tombstone: answering<TombstoneReq, TombstoneResp>(async (call, signal) => {
      const at = toPosition(
        await remove(node, call, { signal, isFinal: true }),
        new streams_pb.TombstoneResp.Position(),
      );
      return new streams_pb.TombstoneResp().setPosition(at);
    }),
  };
}

async function remove(
  node: ServerNode,
  call: ServerUnaryCall<DeleteReq | TombstoneReq, unknown>,
  { signal, isFinal }: { signal: AbortSignal; isFinal: boolean },
): Promise<number> {
  const options = call.request.getOptions();
  if (!options) throw invalidArgument('options are required.');
  const stream = toStreamName(options.getStreamIdentifier());
  const expected = toExpected(options, options.getRevision());
  await node.admit(call, signal, { action: 'delete', stream });
  node.requireLeader(call);
  const writer = await node.findWriter(signal);
  const outcome = isFinal
    ? writer.tombstone(stream, expected)
    : writer.softDelete(stream, expected);
  switch (outcome.outcome) {
    case 'success':
      await node.committed(outcome.position, false, signal);
      return outcome.position;
    case 'stream-deleted':
      throw streamDeleted(stream);
    case 'wrong-expected-version':
      throw wrongExpectedVersion('Delete', stream, { expected, current: outcome.current });
  }
}

function toPosition<Message extends DeleteResp.Position | TombstoneResp.Position>(
  position: number,
  message: Message,
): Message {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
}

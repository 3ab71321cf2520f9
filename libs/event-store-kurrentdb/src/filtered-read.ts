import {
  type Direction,
  type ReadPosition,
  type ResolvedEvent,
  type StreamingRead,
  BACKWARDS,
  END,
  START,
} from '@eventstore/db-client';
import { ReadStream } from '@eventstore/db-client/dist/streams/utils/ReadStream.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared_pb from '@eventstore/db-client/generated/shared_pb.js';
import streams_grpc_pb from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams_pb from '@eventstore/db-client/generated/streams_pb.js';

import { type Client } from './client.js';

const { FilterOptions, AllOptions, Position, UUIDOption } = streams_pb.ReadReq.Options;

/** How many events the server examines per page: its default of 32 suits filters that match often. */
export const searchWindow = 1_000;

export type FilteredRead = Readonly<{
  /** The prefix of the names of the streams. */
  prefix: string;
  from: ReadPosition;
  direction: Direction;
  maxCount: number;
}>;

/**
 * Reads the log like `readAll` of the client, but with a filter on the server that omits other streams; the protocol
 * supports it, the client does not. The server detects the maximum count only at the next matching event or at the end
 * of the log: the caller must end the read when it has enough events.
 */
export function readFiltered(client: Client, read: FilteredRead): StreamingRead<ResolvedEvent> {
  const request = toRequest(read);
  const create = client['GRPCStreamCreator'](
    streams_grpc_pb.StreamsClient,
    'readAll',
    async (streams) => {
      const call = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
      return streams.read(request, ...call);
    },
  );
  return new ReadStream(create, convertGrpcEvent, {});
}

function toRequest({ prefix, from, direction, maxCount }: FilteredRead) {
  const names = new FilterOptions.Expression().setPrefixList([prefix]);
  const filter = new FilterOptions().setStreamIdentifier(names).setMax(searchWindow);
  // Reads have no checkpoints, but the server requires a number.
  filter.setCheckpointintervalmultiplier(1);
  const options = new streams_pb.ReadReq.Options();
  options.setAll(toAllOptions(from)).setFilter(filter).setCount(String(maxCount));
  options.setReadDirection(direction === BACKWARDS ? 1 : 0);
  options.setUuidOption(new UUIDOption().setString(new shared_pb.Empty()));
  return new streams_pb.ReadReq().setOptions(options);
}

function toAllOptions(from: ReadPosition) {
  const options = new AllOptions();
  if (from === START) return options.setStart(new shared_pb.Empty());
  if (from === END) return options.setEnd(new shared_pb.Empty());
  const position = new Position();
  position.setCommitPosition(String(from.commit)).setPreparePosition(String(from.prepare));
  return options.setPosition(position);
}

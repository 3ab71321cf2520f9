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

/** How many events the server looks at for one page: the default of 32 is made for filters that let much through. */
export const searchWindow = 1_000;

export type FilteredRead = Readonly<{
  /** What the names of the streams begin with. */
  prefix: string;
  from: ReadPosition;
  direction: Direction;
  maxCount: number;
}>;

/**
 * Reads the log as `readAll` of the client does, leaving out on the server what is in other streams; the protocol knows
 * that, the client does not. The server finds that it has given enough only with the next event that fits, or at the end
 * of the log: whoever has enough ends the read.
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
  // Reads have no checkpoints, and the server wants a number.
  filter.setCheckpointintervalmultiplier(1);
  const options = new streams_pb.ReadReq.Options();
  options.setAll(toPlace(from)).setFilter(filter).setCount(String(maxCount));
  options.setReadDirection(direction === BACKWARDS ? 1 : 0);
  options.setUuidOption(new UUIDOption().setString(new shared_pb.Empty()));
  return new streams_pb.ReadReq().setOptions(options);
}

function toPlace(from: ReadPosition) {
  const place = new AllOptions();
  if (from === START) return place.setStart(new shared_pb.Empty());
  if (from === END) return place.setEnd(new shared_pb.Empty());
  const position = new Position();
  position.setCommitPosition(String(from.commit)).setPreparePosition(String(from.prepare));
  return place.setPosition(position);
}

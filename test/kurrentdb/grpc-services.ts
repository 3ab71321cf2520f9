import type { Server } from '@grpc/grpc-js';
import gossip_grpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features_grpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streams_grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';

import { newAppendHandlers } from './append-handlers.js';
import { newDeleteHandlers } from './delete-handlers.js';
import { newNodeHandlers } from './node-handlers.js';
import { newReadHandler } from './read-handler.js';
import { type ServerNode } from './server-node.js';

/** The methods of the stand-in; other calls are UNIMPLEMENTED. */
export function addServices(server: Server, node: ServerNode): void {
  const { getSupportedMethods, read } = newNodeHandlers(node);
  server.addService(streams_grpc.StreamsService, {
    read: newReadHandler(node),
    ...newAppendHandlers(node),
    ...newDeleteHandlers(node),
  });
  server.addService(gossip_grpc.GossipService, { read });
  server.addService(features_grpc.ServerFeaturesService, { getSupportedMethods });
}

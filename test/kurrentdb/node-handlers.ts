import gossip_pb from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import features_pb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';

import { type ServerNode } from './server-node.js';
import { answering } from './unary-call.js';
import { toUuid } from './wire.js';

const methods: Readonly<Record<string, readonly string[]>> = {
  'event_store.client.streams.streams': ['read', 'append', 'delete', 'tombstone', 'batchappend'],
  'event_store.client.gossip.gossip': ['read'],
  'event_store.client.server_features.serverfeatures': ['getsupportedmethods'],
};

/** The requests of clients before all others, without authentication. */
export function newNodeHandlers(node: ServerNode) {
  return {
    getSupportedMethods: answering<Empty, SupportedMethods>(async (_call, signal) => {
      await node.awake.pass(signal);
      return listMethods(node.cluster.settings.serverVersion);
    }),
    read: answering<Empty, ClusterInfo>(async (_call, signal) => {
      await node.awake.pass(signal);
      return new gossip_pb.ClusterInfo().setMembersList(node.cluster.nodes.map(toMember));
    }),
  };
}

function listMethods(serverVersion: string): SupportedMethods {
  const supported = new features_pb.SupportedMethods();
  supported.setEventStoreServerVersion(serverVersion);
  for (const [service, names] of Object.entries(methods))
    for (const name of names) {
      const method = new features_pb.SupportedMethod();
      method.setServiceName(service);
      method.setMethodName(name);
      supported.addMethods(method);
    }
  return supported;
}

function toMember(node: ServerNode): MemberInfo {
  const { FOLLOWER, LEADER, PRELEADER, UNKNOWN } = gossip_pb.MemberInfo.VNodeState;
  const endpoint = new gossip_pb.EndPoint();
  endpoint.setAddress(node.host);
  endpoint.setPort(node.port);
  const member = new gossip_pb.MemberInfo();
  member.setInstanceId(toUuid(node.instanceId));
  member.setTimeStamp(String(BigInt(Date.now()) * 10_000n));
  const leads = node.cluster.isPreLeader ? PRELEADER : LEADER;
  member.setState(node.isLeader ? leads : node.cluster.leader ? FOLLOWER : UNKNOWN);
  member.setIsAlive(node.isRunning);
  member.setHttpEndPoint(endpoint);
  return member;
}

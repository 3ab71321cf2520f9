export { workCommand } from './work.arbitraries.js';
export {
  type EventStoreFixture,
  type EventStoreFlags,
} from './event-store-contract/contract-site.js';
export { eventStoreContract } from './event-store-contract/event-store.contract.js';
export { countEvents } from './count-events.js';
export { type CountingProxy, openCountingProxy } from './counting-proxy.js';
export { type PlanNode, analyzeStatement } from './analyze-statement.js';
export { type SentStatement, listenToStatements } from './count-statements.js';
export { HistoryWriter } from './history-writer.js';
export { projectAll } from './project-all.js';
export { checkInvariants } from './runs/run-invariants.js';
export { make } from './runs/run-moves.js';
export { RunWorld, type SampleDefinition, hashOf } from './runs/run-world.js';
export { type Move, moves, sampleDefinitions } from './runs/run.arbitraries.js';
export { SiblingWatch } from './runs/sibling-watch.js';
export { itWhole, sized } from './sized.js';
export { specify } from './given-when-then.js';
export { contextAfter, contextFrom, did, recordContextEvent } from './recorded-context.js';
export {
  type TestDatabase,
  type TestServer,
  copyTestDatabase,
  createEmptyDatabase,
  openTestDatabase,
  openTestServer,
  runMaintenance,
} from './test-database.js';
export { contextCommand, contextCommands, decisionCommand } from './context.arbitraries.js';
export { countedObject } from './counted-object.js';
export { jsonObject, jsonValue, oddNames } from './json.arbitraries.js';
export {
  collect,
  failure,
  ids,
  newEvents,
  newStream,
  readLog,
  upTo,
} from './event-store-contract/stored-events.js';
export { placeCluster, prepareCluster } from './cluster-template.js';
export { type ChildProgram, startProgram } from './child-program.js';
export { type ModelCall, type ModelReply, ModelServer } from './model-server.js';
export { canBeCutOff, openKurrentDbProxy } from './kurrentdb-proxy.js';
export { type TcpProxy, openTcpProxy } from './tcp-proxy.js';
export { type TestCertificate, newTestCertificate } from './test-certificate.js';
export {
  type KurrentDbFaults,
  type StandInKurrentDb,
  type StandInOptions,
  type TestKurrentDb,
  openStandIn,
  openTestKurrentDb,
} from './test-kurrentdb.js';
export { type TestDirectory, makeTestDirectory } from './test-directory.js';
export { type TestStore, useTestStore } from './use-test-store.js';
export { type WaitOptions, waitFor } from './wait-for.js';
export { type FileEvent, writeExport } from './write-export.js';
export { waitForProjector } from './wait-for-projector.js';

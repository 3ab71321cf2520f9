import { z } from 'zod';

import { documentMembers, memberDefinitions } from '#shared-context';

/**
 * Members that the OpenAPI document lists before another one, although they follow it in documents. This keeps the published order;
 * members that are not named here have the order of documents.
 */
const listedBefore: Readonly<Record<string, readonly string[]>> = {
  globalContext: ['executionSummary', 'metadata'],
  currentState: ['stepOutputs'],
  decisionHistory: ['completedPhases', 'iterationCounts', 'circuitBreakers'],
  agents: ['derived', 'summaries'],
};

const moved = new Set(Object.values(listedBefore).flat());

const names = documentMembers
  .filter((name) => !moved.has(name))
  .flatMap((name) => [...(listedBefore[name] ?? []), name]);

/** The documented schema of a document; clients must ignore unknown members. */
export const contextDocument = z.looseObject(
  Object.fromEntries(
    names.flatMap((name) => {
      const member = memberDefinitions[name];
      return member ? [[name, member.schema]] : [];
    }),
  ),
);

import { z } from 'zod';

import { agentId, contextId, identifier } from '#shared-context';

import { audienceName } from './query.schema.js';

/** The schema of each path parameter, after percent-decoding. */
export const pathParams = {
  contextId,
  stepId: identifier,
  decisionId: identifier,
  taskId: identifier,
  phase: identifier,
  subject: identifier,
  riskId: identifier,
  blockerId: identifier,
  handoverId: identifier,
  inputRequestId: identifier,
  eventId: identifier,
  agentId,
  keyId: identifier,
  projection: identifier,
  jobId: identifier,
  deadLetterId: identifier,
  audience: audienceName,
  transformationId: identifier,
  definitionId: identifier,
  approvalId: z.string().min(1).max(500),
  version: z.string().regex(/^[1-9]\d{0,8}$/, 'must be a version: a whole number from 1'),
  receipt: z.string().min(1),
  ref: z.string().min(1).max(4_096),
  code: z.string(),
} as const;

/** The names in a path like `/contexts/{contextId}`. */
export type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name & keyof typeof pathParams) | PathParam<Rest>
  : never;

type ParamName = keyof typeof pathParams;

/** The names in the order of the path. */
export function paramNames(path: string): readonly ParamName[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => knownParam(name ?? ''));
}

function knownParam(name: string): ParamName {
  const known = Object.keys(pathParams).find((param) => param === name);
  if (!known) throw new Error(`no schema for the path parameter "${name}"`);
  // The cast is safe: the name is one of the keys.
  return known as ParamName;
}

import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { receiptKinds } from './renderer-versions.js';

/** A longer text would make a receipt too long for a header. The parameters of views are always shorter. */
const maxParameterCharacters = 1_000;

const columns = z.tuple([
  z.string(),
  z.string(),
  z.int().min(1),
  z.string(),
  z.string().nullable(),
  z.string().nullable(),
  z.enum(receiptKinds),
  z.int().min(0),
  z.string().regex(/^[0-9a-f]{64}$/),
  z.record(z.string(), z.json()).nullable(),
]);

/** Everything that a receipt states about a read: its content and its reader. */
export type ReceiptFacts = Readonly<{
  workspace: string;
  contextId: string;
  version: number;
  audience: string;
  /** The agent of the key that read, if the key belongs to one: policies may depend on it. */
  agentId: string | null;
  /** The hash of policy and reader; null for the audience that sees everything. */
  policy: string | null;
  kind: (typeof receiptKinds)[number];
  /** The version of the renderer of the text. */
  renderer: number;
  /** SHA-256 of the returned UTF-8 bytes, 64 lower-case hex digits. */
  hash: string;
  /** Everything else that the text depends on: the request with defaults filled in, and the versions of transformations; null if too long. */
  parameters: JsonObject | null;
}>;

/** One JSON array in fixed order: the text that is signed. */
export function receiptText(facts: ReceiptFacts): string {
  const { workspace, contextId, version, audience, agentId, policy } = facts;
  const { kind, renderer, hash, parameters } = facts;
  return JSON.stringify([
    workspace,
    contextId,
    version,
    audience,
    agentId,
    policy,
    kind,
    renderer,
    hash,
    bounded(parameters),
  ]);
}

/** Undefined if {@link receiptText} did not make the text. */
export function parseReceiptText(text: string): ReceiptFacts | undefined {
  const parsed = columns.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const [
    workspace,
    contextId,
    version,
    audience,
    agentId,
    policy,
    kind,
    renderer,
    hash,
    parameters,
  ] = parsed.data;
  return {
    workspace,
    contextId,
    version,
    audience,
    agentId,
    policy,
    kind,
    renderer,
    hash,
    parameters,
  };
}

function bounded(parameters: JsonObject | null): JsonObject | null {
  return JSON.stringify(parameters).length > maxParameterCharacters ? null : parameters;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

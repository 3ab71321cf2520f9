import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { receiptKinds } from './renderer-versions.js';

/** More would make a receipt too long for a header. No view can be asked for with so much. */
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

/** All a receipt says of what a read showed, and to whom. */
export type ReceiptFacts = Readonly<{
  workspace: string;
  contextId: string;
  version: number;
  audience: string;
  /** The agent of the key that read, where it is one's: policies may go by it. */
  agentId: string | null;
  /** The hash of policy and reader; null for the audience that sees everything. */
  policy: string | null;
  kind: (typeof receiptKinds)[number];
  /** The version of what made the text. */
  renderer: number;
  /** SHA-256 of the UTF-8 bytes shown, 64 lower-case hex digits. */
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

/** Undefined if the text is none of {@link receiptText}. */
export function parseReceiptText(text: string): ReceiptFacts | undefined {
  const parsed = columns.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const [workspace, contextId, version, audience, agentId, policy, kind, renderer, hash, asked] =
    parsed.data;
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
    parameters: asked,
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

import { type CallToolResult } from '@modelcontextprotocol/server';
import { type Throughline } from '@throughline/sdk';
import { type z } from 'zod';

import { type CountTokens } from './budget.js';
import { type Principal } from './principal.js';

/** Used by tools, resources and prompts. The client has the key, and the key determines the rights. */
export type ToolContext = Readonly<{
  client: Throughline;
  principal: Principal;
  countTokens: CountTokens;
}>;

export type ToolEdges = Readonly<{ signal: AbortSignal }>;

/** A tool as data: its listed texts, and a function of its parsed parameters. */
export type Tool = Readonly<{
  name: string;
  description: string;
  input: z.ZodObject;
  readOnly: boolean;
  run: (parameters: unknown, edges: ToolEdges) => Promise<CallToolResult>;
}>;

/** Checks `run` against the type of the parameters. */
export function defineTool<Input extends z.ZodObject>(
  tool: Readonly<{
    name: string;
    description: string;
    input: Input;
    readOnly?: boolean;
    run: (parameters: z.output<Input>, edges: ToolEdges) => Promise<CallToolResult>;
  }>,
): Tool {
  const { input, run, readOnly = false, ...texts } = tool;
  return {
    ...texts,
    input,
    readOnly,
    run: (parameters, edges) => run(input.parse(parameters), edges),
  };
}

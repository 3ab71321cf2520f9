import { type CallToolResult } from '@modelcontextprotocol/server';
import { type Throughline } from '@throughline/sdk';
import { type z } from 'zod';

import { type CountTokens } from './budget.js';
import { type Principal } from './principal.js';

/** What tools, resources and prompts work with: the client carries the key, and the key decides what may be done. */
export type Site = Readonly<{
  client: Throughline;
  principal: Principal;
  countTokens: CountTokens;
}>;

export type ToolEdges = Readonly<{ signal: AbortSignal }>;

/** A tool as data: what is listed, and a function of its parsed parameters. */
export type Tool = Readonly<{
  name: string;
  description: string;
  input: z.ZodObject;
  readOnly: boolean;
  run: (given: unknown, edges: ToolEdges) => Promise<CallToolResult>;
}>;

/** Keeps the type of the parameters. */
export function defineTool<Input extends z.ZodObject>(
  tool: Readonly<{
    name: string;
    description: string;
    input: Input;
    readOnly?: boolean;
    run: (given: z.output<Input>, edges: ToolEdges) => Promise<CallToolResult>;
  }>,
): Tool {
  const { input, run, readOnly = false, ...texts } = tool;
  return { ...texts, input, readOnly, run: (given, edges) => run(input.parse(given), edges) };
}

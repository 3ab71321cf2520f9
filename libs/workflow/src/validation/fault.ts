import { type TextPosition } from '../authoring/line-index.js';

/** An error refuses a definition; a warning names what may not be what its author means. */
export const faultSeverities = {
  'invalid-json': 'error',
  'duplicate-member': 'error',
  'inexact-number': 'error',
  'too-large': 'error',
  'too-deep': 'error',
  'missing-member': 'error',
  'unknown-member': 'error',
  'invalid-member': 'error',
  'unknown-step-type': 'error',
  'contradictory-members': 'error',
  'duplicate-step-id': 'error',
  'reserved-name': 'error',
  'name-conflict': 'error',
  'agent-name': 'error',
  'unknown-target': 'error',
  'target-elsewhere': 'error',
  'branches-meet': 'error',
  'endless-limit': 'error',
  'unreachable-step': 'error',
  'invalid-expression': 'error',
  'unknown-name': 'error',
  'unknown-step': 'error',
  'unknown-field': 'error',
  'input-never-available': 'error',
  'never-available': 'warning',
  'may-be-absent': 'warning',
  'ambiguous-outcome': 'warning',
  'unknown-agent': 'warning',
  'loop-without-limit': 'warning',
  'rejection-ends-run': 'warning',
  'no-effect': 'warning',
} as const satisfies Readonly<Record<string, 'error' | 'warning'>>;

type FaultCode = keyof typeof faultSeverities;

/** What is wrong with a definition, where, and what to do about it. */
export type WorkflowFault = Readonly<{
  code: FaultCode;
  severity: 'error' | 'warning';
  message: string;
  /** RFC 6901, into the definition. */
  pointer: string;
  /** The name that was probably meant. */
  suggestion?: string;
}> &
  /** Only if the definition was given as text. */
  Partial<TextPosition>;

/** A fault as a check finds it. */
export type FoundFault = Readonly<{
  code: FaultCode;
  message: string;
  pointer: string;
  suggestion?: string | undefined;
  /** Where in the text at the pointer, in UTF-16 units; `name`: at the name of the member, not at its value. */
  at?: number | 'name';
}>;

export type Report = (fault: FoundFault) => void;

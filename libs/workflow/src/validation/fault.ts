import { type TextPosition } from '../authoring/line-index.js';

/** Errors reject a definition; warnings name members that may not do what the author intends. */
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

/** A fault of a definition: its location, and how to fix it. */
export type WorkflowFault = Readonly<{
  code: FaultCode;
  severity: 'error' | 'warning';
  message: string;
  /** RFC 6901, into the definition. */
  pointer: string;
  /** The name that the author probably meant. */
  suggestion?: string;
}> &
  /** Only if the definition was given as text. */
  Partial<TextPosition>;

/** A fault before its location in the text is known. */
export type UnlocatedFault = Readonly<{
  code: FaultCode;
  message: string;
  pointer: string;
  suggestion?: string | undefined;
  /**
   * The offset within the text value at the pointer, in UTF-16 units; `name`: the position of the member's name instead
   * of its value.
   */
  at?: number | 'name';
}>;

export type Report = (fault: UnlocatedFault) => void;

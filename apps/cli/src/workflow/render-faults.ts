import { type WorkflowFault, type WorkflowReport } from '#workflow';

import { printableLine } from '../printable.js';
import { countOf } from '../rate.js';

/** `<file>:<line>:<column>: <severity> <code>: <message>`, which editors and terminals turn into links. */
export function renderFaults(file: string, { faults, more }: WorkflowReport): string {
  const lines = faults.map(({ line, column, severity, code, message }) =>
    printableLine(`${file}:${line}:${column}: ${severity} ${code}: ${message}`),
  );
  const others = more === 0 ? [] : [`and ${more} more`];
  return [...lines, ...others, `${printableLine(file)}: ${verdictOn(faults)}`].join('\n');
}

/** Returns the numbers of errors and warnings. */
export function verdictOn(faults: readonly WorkflowFault[]): string {
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const warnings = faults.length - errors;
  return `${errors === 0 ? 'no errors' : countOf(errors, 'error')}, ${
    warnings === 0 ? 'no warnings' : countOf(warnings, 'warning')
  }`;
}

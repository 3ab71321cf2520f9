import { sep } from 'node:path';

const control = /\p{Cc}/gu;

/**
 * Turns the name of a document into a path below a folder. Removes steps to a parent folder, the root of an absolute path or
 * of a drive, and control characters.
 */
export function fileWithin(name: string): string {
  const steps = name
    .split(/[\\/]/)
    .map((step) => step.replace(control, '_').replaceAll(':', '_'))
    .filter((step) => step !== '' && !/^\.{1,2} *$/.test(step));
  return steps.length === 0 ? 'document' : steps.join(sep);
}

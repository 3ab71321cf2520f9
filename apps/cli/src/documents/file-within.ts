import { sep } from 'node:path';

const control = /\p{Cc}/gu;

/**
 * The name of a document as a path below a folder, wherever the document says that it is from: without steps to a parent, without
 * the root of an absolute path or of a drive, and without control characters.
 */
export function fileWithin(name: string): string {
  const steps = name
    .split(/[\\/]/)
    .map((step) => step.replace(control, '_').replaceAll(':', '_'))
    .filter((step) => step !== '' && !/^\.{1,2} *$/.test(step));
  return steps.length === 0 ? 'document' : steps.join(sep);
}

import { type NamedText } from '../documents/document-format.js';

const yaml = /\.ya?ml$/i;

/** Whether a document is the session itself, which is JSON, and not rules in YAML. */
export function isSession({ name }: Pick<NamedText, 'name'>): boolean {
  return !yaml.test(name);
}

import {
  type NamedText,
  type ReadingNote,
  type Registrations,
} from '../documents/document-format.js';
import { type AgentRules } from './agent-rules.js';
import { readTransformations } from './transformation-rules.js';
import { YamlText } from './yaml-text.js';

const knownMembers: ReadonlySet<string> = new Set(['validation_rules', 'transformations']);

/** Reads agents and transformations from YAML documents. */
export function readRules(documents: readonly NamedText[], rules: AgentRules) {
  const notes: ReadingNote[] = [];
  const transformations: Registrations['transformations'][number][] = [];
  for (const document of documents) {
    const yaml = new YamlText(document);
    const placeOf = (path: readonly string[]) => yaml.placeAt(path);
    rules.addRules(yaml.value['validation_rules'], placeOf);
    const read = readTransformations(yaml.value['transformations'], placeOf);
    transformations.push(...read.definitions);
    notes.push(...read.notes);
    for (const name of Object.keys(yaml.value))
      if (!knownMembers.has(name))
        notes.push({
          ...placeOf([name]),
          kind: 'left-out',
          detail: 'this member configures nothing',
        });
  }
  const registrations: Registrations = { agents: rules.definitions(), transformations };
  return { notes: [...rules.notes, ...notes], registrations };
}

import { type ContextDocument } from '../documents/context-document.js';
import { byWhom, named, section, trimmed } from './report-lines.js';
import { block, inline, inlineValue } from './safe-markdown.js';

/** The request: the input, the requirements, and the context and preferences of everybody who works on it. */
export function requestedSection(document: ContextDocument): string[] {
  const { input, requirements, globalContext, userPreferences, dependencies } = document;
  const isEmpty = input === undefined || JSON.stringify(input) === '{}';
  const { external, internal } = dependencies;
  const parts = [
    ...(isEmpty || input === null ? [] : section('### Input', block(input))),
    ...section('### Requirements', requirements.map(requirementLine)),
    ...section('### Context', valueLines(globalContext)),
    ...section('### Preferences', valueLines(userPreferences)),
    ...section(
      '### Dependencies',
      [...external, ...internal].map((one) => `- ${inline(one.name)} (${inline(one.kind)})`),
    ),
  ];
  return section(
    // prose-ignore: text of exported documents
    '## What was asked',
    parts.length === 0 ? ['Nothing was stated.'] : trimmed(parts),
  );
}

function requirementLine(requirement: ContextDocument['requirements'][number]): string {
  const { requirementId, kind, text, met } = requirement;
  const mark = met === undefined ? '' : met ? '[x] ' : '[ ] ';
  const result = met === undefined ? 'not said whether met' : met ? 'met' : 'not met';
  const what = kind === 'functional' ? result : `${kind.replace('_', '-')}, ${result}`;
  return `- ${mark}${named([requirementId])}: ${inline(text)} (${what})${byWhom(requirement)}`;
}

function valueLines(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(([name, value]) => `- ${inline(name)}: ${inlineValue(value)}`);
}

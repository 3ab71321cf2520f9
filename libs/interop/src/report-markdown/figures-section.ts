import { type ContextDocument } from '../documents/context-document.js';
import { section } from './report-lines.js';
import { inline, inlineValue } from './safe-markdown.js';

/** Counts of everything, and the metrics of the context. */
export function figuresSection(document: ContextDocument): string[] {
  const measured = Object.entries(document.metrics).map(
    ([name, value]) => [inWords(name), value] as const,
  );
  const rows = [...counted(document), ...measured]
    .filter(([, value]) => !['null', '0', '{}'].includes(JSON.stringify(value ?? null)))
    .map(([name, value]) => `| ${inline(name, 100)} | ${inlineValue(value, 200)} |`);
  return section('## Figures', ['| figure | value |', '|---|---|', ...rows]);
}

function counted(document: ContextDocument): readonly (readonly [string, number | string])[] {
  const { tasks, requirements } = document;
  const done = tasks.filter(({ status }) => status === 'completed').length;
  const met = requirements.filter(({ met: isMet }) => isMet === true).length;
  return [
    ['tasks done', tasks.length === 0 ? 0 : `${done} of ${tasks.length}`],
    ['requirements met', requirements.length === 0 ? 0 : `${met} of ${requirements.length}`],
    ['decisions', document.decisionHistory.length],
    ['steps with an output', Object.keys(document.stepOutputs).length],
    ['artifacts', document.artifactReferences.length],
    ['reviews', document.reviewHistory.length],
    ['records', document.records.length],
    ['handovers', document.handoverNotes.length],
    ...Object.entries(document.iterationCounts).map(
      ([subject, count]) => [`iterations of ${subject}`, count] as const,
    ),
    ['version', document._version],
  ];
}

/** `totalTasks` as `total tasks`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

import { type ContextDocument } from '../documents/context-document.js';
import { at, byWhom, labelled, named, section, trimmed } from './report-lines.js';
import { inline, inlineValue } from './safe-markdown.js';
import { taskLines } from './task-lines.js';

const longestOutput = 200;
/** A run of an agent can have thousands of steps; a report shows the first and the last ones. */
const maxOutputs = 200;

/** The work: phases, tasks, outputs, files, reviews and records. */
export function doneSection(document: ContextDocument): string[] {
  const parts = [
    ...section('### Phases', document.completedPhases.map(phaseLine)),
    ...section('### Tasks', taskLines(document.tasks)),
    ...section('### Outputs by step', outputLines(document.stepOutputs)),
    ...section('### Files and other artifacts', document.artifactReferences.map(artifactLine)),
    ...section('### Reviews', document.reviewHistory.flatMap(reviewLines)),
    ...section('### Records', document.records.map(recordLine)),
    ...section('### Handovers', document.handoverNotes.map(handoverLine)),
  ];
  // prose-ignore: text of exported documents
  return section('## What was done', parts.length === 0 ? ['Nothing.'] : trimmed(parts));
}

export function handoverLine(handover: ContextDocument['handoverNotes'][number]): string {
  const { handoverId, from, to, note, priority, status } = handover;
  const whose = `from ${inline(from ?? 'somebody', 100)} to ${inline(to, 100)}`;
  const how = `${inline(priority, 40)} priority, ${inline(status ?? 'open', 40)}`;
  return `- ${named([handoverId])} ${whose}: ${inline(note)} (${how})${at(handover.timestamp)}`;
}

function phaseLine(phase: ContextDocument['completedPhases'][number]): string {
  const { agent, iterations, outputs, startedAt, completedAt } = phase;
  const who = agent === null ? '' : ` by ${inline(agent, 100)}`;
  const times = [startedAt, completedAt].flatMap((time) =>
    time === null ? [] : [inline(time, 40)],
  );
  const made = outputs.length === 0 ? '' : `. Outputs: ${named(outputs)}`;
  return `- ${inline(phase.phase)}${who}: ${times.join(' to ')}, iterations: ${iterations}${made}`;
}

function outputLines(outputs: Readonly<Record<string, unknown>>): string[] {
  const all = Object.entries(outputs);
  const line = ([stepId, output]: readonly [string, unknown]) =>
    `- ${inline(stepId, 100)}: ${inlineValue(output, longestOutput)}`;
  if (all.length <= maxOutputs) return all.map(line);
  const half = maxOutputs / 2;
  const between = `- ${all.length - maxOutputs} more steps between these`;
  return [...all.slice(0, half).map(line), between, ...all.slice(-half).map(line)];
}

function artifactLine(artifact: ContextDocument['artifactReferences'][number]): string {
  const { artifactId, artifactType, path, uri, change } = artifact;
  const what = [artifactType, change].flatMap((one) =>
    one === undefined ? [] : [inline(one, 100)],
  );
  return `- ${inline(path ?? uri ?? artifactId)} (${what.join(', ')})${byWhom(artifact)}`;
}

function reviewLines(review: ContextDocument['reviewHistory'][number]): string[] {
  const { reviewId, artifact, status, gate, reason, keyIssues } = review;
  const result = gate === undefined ? words(status) : `${words(status)}, gate ${gate}`;
  const why = labelled('Reason', reason);
  return [
    `- ${named([reviewId])} of ${inline(artifact)}: ${result}${byWhom(review)}.${why}`,
    ...keyIssues.map(
      ({ issueId, severity, text }) =>
        `  - ${named([issueId])} (${inline(severity, 40)}): ${inline(text)}`,
    ),
  ];
}

function recordLine(record: ContextDocument['records'][number]): string {
  const { recordId, kind, title, body, fields } = record;
  const text = body ?? (fields === undefined ? '' : JSON.stringify(fields));
  const name = title === undefined ? recordId : title;
  return `- ${inline(name, 200)} (${inline(kind, 40)})${byWhom(record)}: ${inline(text, 300)}`;
}

/** `APPROVED_WITH_FIXES` as `approved with fixes`. */
function words(status: string): string {
  return inline(status.toLowerCase().replaceAll('_', ' '), 100);
}

import { type ContextDocument } from '../documents/context-document.js';
import { decisionLine } from './decided-section.js';
import { handoverLine } from './done-section.js';
import { byWhom, labelled, named, section, trimmed } from './report-lines.js';
import { inline, inlineValue } from './safe-markdown.js';
import { taskLine } from './task-lines.js';

/** Open work: what has to be done, decided, answered or watched. */
export function openSection(document: ContextDocument): string[] {
  const { blockers } = document.dependencies;
  const requests = document.inputRequests.filter((one) => one['status'] === 'open');
  const parts = [
    ...section('### Tasks that are not done', undone(document).map(taskLine)),
    ...section('### Requirements that are not met', unmet(document)),
    ...section('### Decisions to approve', pending(document).map(decisionLine)),
    ...section('### Answers that are waited for', requests.map(requestLine)),
    ...section('### Issues of reviews', document.openIssues.map(issueLine)),
    ...section('### Blockers', blockers.filter(isOpen).map(blockerLine)),
    ...section(
      // prose-ignore: text of exported documents
      '### Handovers that nobody has acknowledged',
      document.handoverNotes.filter(isOpen).map(handoverLine),
    ),
    ...section('### Risks', document.risks.filter(isThreat).map(riskLine)),
    ...section('### Loops that were stopped', stopped(document)),
  ];
  // prose-ignore: text of exported documents
  return section('## What is open', parts.length === 0 ? ['Nothing.'] : trimmed(parts));
}

function isOpen({ status }: Readonly<{ status: string | null }>): boolean {
  return status === 'open' || status === null;
}

/** A risk that has occurred is still a threat. */
function isThreat({ status }: Readonly<{ status: string }>): boolean {
  return status === 'open' || status === 'occurred';
}

function undone({ tasks }: ContextDocument): ContextDocument['tasks'] {
  return tasks.filter(({ status }) => status !== 'completed');
}

function unmet({ requirements }: ContextDocument): string[] {
  return requirements
    .filter(({ met }) => met === false)
    .map(({ requirementId, text }) => `- ${named([requirementId])}: ${inline(text)}`);
}

function pending({ decisionHistory }: ContextDocument): ContextDocument['decisionHistory'] {
  return decisionHistory.filter(({ status }) => status === 'pending');
}

function requestLine(request: Readonly<Record<string, unknown>>): string {
  const { inputRequestId, from, path, prompt, question } = request;
  const subject = [path, prompt, question].find((one) => one !== undefined);
  const what = subject === undefined ? '' : `: ${inlineValue(subject)}`;
  return `- ${inlineValue(inputRequestId, 100)} from ${inlineValue(from, 100)}${what}`;
}

function issueLine({ issueId, severity, text }: ContextDocument['openIssues'][number]): string {
  return `- ${named([issueId])} (${inline(severity, 40)}): ${inline(text)}`;
}

function blockerLine(blocker: ContextDocument['dependencies']['blockers'][number]): string {
  return `- ${named([blocker.blockerId])}: ${inline(blocker.description)}${byWhom(blocker)}`;
}

function riskLine(risk: ContextDocument['risks'][number]): string {
  const { riskId, severity, description, mitigation } = risk;
  const answer = labelled('Mitigation', mitigation);
  return `- ${named([riskId])} (${inline(severity, 40)}): ${inline(description)}${byWhom(risk)}.${answer}`;
}

function stopped({ circuitBreakers }: ContextDocument): string[] {
  return Object.entries(circuitBreakers)
    .filter(([, { status }]) => status === 'tripped')
    .map(([subject, { current, max }]) => `- ${inline(subject)}: ${current} of ${max} iterations`);
}

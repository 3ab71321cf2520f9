import { nearestMember } from '#event-sourcing';

/** Our names for members that other systems name differently, in the order in which they are suggested. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  reason: ['rationale'],
  reasoning: ['rationale', 'reason'],
  justification: ['rationale', 'reason'],
  why: ['rationale', 'reason'],
  alternatives: ['alternativesConsidered'],
  madeby: ['agentId'],
  author: ['agentId'],
  agent: ['agentId'],
  from: ['agentId'],
  step: ['stepId'],
  data: ['output'],
  result: ['output'],
  value: ['output'],
  implementationsummary: ['summary'],
  message: ['note', 'reason', 'detail'],
  text: ['note', 'body', 'description', 'detail'],
  source: ['path', 'sources'],
  requireddata: ['requiredSections'],
  validationrules: ['contract'],
  inputs: ['contract', 'sources'],
  input: ['sources'],
  output: ['destinations'],
  outputs: ['contract', 'destinations'],
  algorithm: ['operation'],
  logic: ['operation'],
  transformation: ['operation'],
  type: ['kind', 'artifactType'],
  risk: ['description'],
  issues: ['keyIssues'],
  feedback: ['keyIssues'],
  blockers: ['blockerId'],
  featureid: ['contextId'],
  featurename: ['title'],
  sessionid: ['contextId'],
  workflowid: ['contextId'],
  name: ['title'],
  architecturalnotes: ['notes'],
  implementationstrategy: ['strategy'],
  testingapproach: ['testing'],
  identifiedrisks: ['risks'],
  discussiondate: ['body'],
  decisions: ['decisionHistory'],
  decisionlog: ['decisionHistory'],
  handovers: ['handoverNotes'],
  artifacts: ['artifactReferences'],
  reviews: ['reviewHistory'],
  preferences: ['userPreferences'],
  phases: ['completedPhases'],
  projectmetadata: ['metadata'],
  loop: ['subject'],
  to: ['from'],
  fromagent: ['from', 'agentId'],
  toagent: ['to', 'from'],
  filereference: ['path', 'uri'],
  attempts: ['tried'],
  id: [
    'contextId',
    'decisionId',
    'taskId',
    'handoverId',
    'riskId',
    'artifactId',
    'reviewId',
    'blockerId',
    'requirementId',
    'inputRequestId',
    'recordId',
    'name',
  ],
};

/** The known member that an unknown name probably means; undefined if none is similar. */
export function memberMeant(name: string, known: readonly string[]): string | undefined {
  return nearestMember(name, known, otherNames);
}

/** Longer lists of names do not help the reader of a message. */
const maxListed = 16;

/**
 * Adds to `fault` what to do about an unknown member: the name that was probably meant, the known names, or to leave it
 * out.
 */
export function unknownMember(
  fault: string,
  suggestion: string | undefined,
  known: readonly string[],
): string {
  if (suggestion !== undefined) return `${fault}: did you mean "${suggestion}"?`;
  return known.length > 0 && known.length <= maxListed
    ? `${fault}; known members: ${known.join(', ')}`
    : `${fault}: leave it out`;
}

import { type StoryStep } from './story-step.js';

/** The registered agents, and the policy of the security reviewer, who sees the facts but not how the work was done. */
export const team: readonly StoryStep[] = [
  {
    as: 'admin',
    method: 'PUT',
    path: 'policies/security',
    body: {
      show: [
        {
          types: [
            'GlobalContextSet',
            'RequirementRecorded',
            'DependencyDeclared',
            'RiskRaised',
            'RiskUpdated',
            'ArtifactReferenced',
            'SignalEmitted',
          ],
        },
        {
          types: ['DecisionRecorded', 'DecisionApproved', 'DecisionRejected'],
          without: ['confidence'],
        },
        { types: ['ReviewRecorded'], authors: ['$reader'] },
        { types: ['HandoverNoted', 'HandoverAcknowledged'], to: ['$reader'] },
      ],
      decisions: 'live',
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/analyst',
    body: {
      name: 'Analyst',
      role: 'Turns wishes of customers into requirements',
      kind: 'llm',
      persona:
        'You ask for the reason of each wish. You write short requirements that can be tested.',
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/architect',
    body: {
      name: 'Architect',
      role: 'Decides on the design and explains each decision',
      kind: 'llm',
      persona:
        'You prefer simple parts that the team has operated before. You name the alternatives.',
      template:
        'Design the feature for these constraints:\n{{global_context.constraints}}\nName the decisions, their reasons and the alternatives.',
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/developer-api',
    body: {
      name: 'Developer of the API',
      role: 'Builds the endpoints of the server',
      kind: 'llm',
      persona: 'You write small functions and a test for each rule.',
      template:
        'Build the endpoints of the design:\n{{context.design}}\nFollow these constraints:\n{{global_context.constraints}}',
      contract: {
        inputs: { endpoints: { path: 'architect.outputs.design', minCount: 1 } },
        outputs: { endpoint: { schema: { type: 'object', required: ['files', 'tests'] } } },
      },
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/developer-web',
    body: {
      name: 'Developer of the website',
      role: 'Builds the pages of the shop',
      kind: 'llm',
      persona: 'You build pages that work with the keyboard and on a phone.',
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/tester',
    body: {
      name: 'Tester',
      role: 'Runs browser tests and load tests',
      kind: 'tool',
      maxRunningAttempts: 4,
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/security-reviewer',
    body: {
      name: 'Security reviewer',
      role: 'Reviews designs and code for security',
      kind: 'llm',
      persona: 'You look for ways to log in as another person.',
    },
  },
  {
    as: 'admin',
    method: 'PUT',
    path: 'agents/release-manager',
    body: {
      name: 'Release manager',
      role: 'Writes release notes and deploys',
      kind: 'service',
    },
  },
];

/** Templates as agents of sessions and workflows have them: the tests use their paths and blocks. */
export const promptTemplates = {
  /** The handover of earlier agents, and the required inputs. */
  session: `## Context
What the agents before you have said:

{{#if analyst.completed}}
### Analyst
**Problem**: {{analyst.outputs.project_brief.structured_data.problem_statement}}
**Users**: {{#each analyst.outputs.project_brief.structured_data.target_users}}{{this}}, {{/each}}
**Features**: {{#each analyst.outputs.project_brief.structured_data.core_features}}{{this}}, {{/each}}
**Constraints**: {{#each analyst.outputs.project_brief.structured_data.technical_constraints}}{{this}}, {{/each}}
**Complexity**: {{project_metadata.complexity_score}}
{{/if}}

{{#if pm.completed}}
### Product manager
**Requirements**: {{pm.outputs.prd.structured_data.functional_requirements}}
**Stories**: {{pm.outputs.prd.structured_data.user_stories.length}}
**Metrics**: {{pm.outputs.prd.structured_data.success_metrics}}
{{/if}}

### Project
**Budget**: {{global_context.project_constraints.budget_level}}
**Time**: {{global_context.project_constraints.timeline}}
**Quality**: at least {{global_context.quality_standards.minimum_test_coverage}}% of the code is tested

## What you need
{{#each required_inputs}}
- [ ] {{this}}: {{lookup ../context this}}
{{/each}}
`,
  fileName: 'session-{{session_id}}.json',
  /** Placeholders of a session before it begins; a context has the first of them only. */
  skeleton:
    '{ "id": "s-{{timestamp}}-{{random}}", "of": "{{session_id}}", "name": "{{project_name}}", "kinds": ["{{workflow_type}}", "{{project_type}}"], "at": "{{iso_timestamp}}", "for": "{{duration_estimate}}" }',
  planner: '## Task\n{{input}}\n\nAnswer with JSON: { "files": [], "steps": [] }\n',
  coder: `## Task
{{input}}

## Plan
{{#if context.plan}}
Files: {{context.plan.files}}
Approach: {{context.plan.approach}}
Steps: {{context.plan.steps}}
{{/if}}

Answer with JSON.
`,
  coderInOneLine: '1. Asked for: {{input}}\n2. Planned: {{context.plan}}\n',
  tester: `{{#if context.code}}
Created: {{context.code.filesCreated}}
Modified: {{context.code.filesModified}}
Changes: {{context.code.changes}}
{{/if}}
`,
  reviewer: `{{#if code}}
Created: {{code.filesCreated}}
Modified: {{code.filesModified}}
Changes: {{code.changes}}
{{/if}}

## Tests
{{#if context.parallel-tests}}
{{#each context.parallel-tests.data}}
- {{this.stepId}}: {{this.result.passed}} passed, {{this.result.failed}} failed
{{/each}}
{{/if}}
`,
  synthesizer: `{{#each context}}
### {{@key}}
{{this.findings}}
{{/each}}
`,
} as const;

import { DefinitionModel } from '../definition/definition-model.js';
import { type StepKinds } from '../definition/step-kind.js';
import { stepKinds } from '../definition/step-kinds.js';
import { type WorkflowDefinition } from '../definition/workflow.schema.js';
import { Flowchart } from './flowchart.js';

/** A Mermaid flowchart. The definition must have no errors. */
export function renderMermaid(
  definition: WorkflowDefinition,
  kinds: StepKinds = stepKinds,
): string {
  return [...new Flowchart(new DefinitionModel(definition, kinds)).lines(), ''].join('\n');
}

import { type JsonValue } from '#event-sourcing';

import { workflowLimits } from '../definition/limits.js';
import { type StepKinds } from '../definition/step-kind.js';
import { type WorkflowDefinition } from '../definition/workflow.schema.js';
import { stepKinds } from '../definition/step-kinds.js';
import { type KnownAgents, checkAgentNames, checkAgents } from './agent-checks.js';
import { Availability } from './availability.js';
import { DefinitionModel } from '../definition/definition-model.js';
import { checkExpressions } from './expression-checks.js';
import { type Report } from './fault.js';
import { checkInputs } from './input-checks.js';
import { checkLoops } from './loop-checks.js';
import { checkMembers } from './member-checks.js';
import { checkNames } from './name-checks.js';
import { checkReach } from './reach-checks.js';
import { parseDefinition } from './schema-faults.js';
import { checkTargets } from './target-checks.js';

type CheckOptions = Readonly<{ kinds?: StepKinds; agents?: KnownAgents | undefined }>;

/** Reports the faults of a value. Returns the definition if it matches its schema, even if it has other faults. */
export function findFaults(
  value: JsonValue | undefined,
  { kinds = stepKinds, agents }: CheckOptions,
  report: Report,
): WorkflowDefinition | undefined {
  const once = withoutRepetition(report);
  const definition = parseDefinition(value, kinds, once);
  if (!definition) return undefined;
  const model = new DefinitionModel(definition, kinds);
  if (!checkSize(model, once)) return undefined;
  checkNames(model, once);
  checkMembers(model, once);
  checkAgentNames(model, once);
  if (agents) checkAgents(model, agents, once);
  checkTargets(model, once);
  checkReach(model, once);
  checkLoops(model, once);
  const availability = new Availability(model);
  checkInputs(model, availability, once);
  checkExpressions(model, availability, once);
  return definition;
}

function checkSize(model: DefinitionModel, report: Report): boolean {
  const { steps, nesting } = workflowLimits;
  const deep = model.placed.find((placed) => model.chainOf(placed).length > nesting);
  if (model.placed.length > steps)
    report({ code: 'too-large', message: `there are more than ${steps} steps`, pointer: '/steps' });
  if (deep)
    report({
      code: 'too-deep',
      pointer: deep.pointer,
      message: `parallel steps are nested deeper than ${nesting} levels`,
    });
  return model.placed.length <= steps && deep === undefined;
}

/** Several exits of a step may have the same member, and an expression may read a path twice. */
function withoutRepetition(report: Report): Report {
  const known = new Set<string>();
  return (fault) => {
    const key = JSON.stringify([fault.code, fault.pointer, fault.message]);
    if (known.has(key)) return;
    known.add(key);
    report(fault);
  };
}

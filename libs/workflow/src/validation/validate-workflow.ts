import { type JsonValue } from '#event-sourcing';

import { AuthoredText } from '../authoring/authored-text.js';
import { type TextPosition } from '../authoring/line-index.js';
import { type StepKinds } from '../definition/step-kind.js';
import { type WorkflowDefinition } from '../definition/workflow.schema.js';
import { type KnownAgents } from './agent-checks.js';
import { findFaults } from './find-faults.js';
import { type UnlocatedFault, type WorkflowFault, faultSeverities } from './fault.js';
import { measureFault } from './measure.js';

/** The maximum number of listed faults; if there are more, errors are listed before warnings. */
const maxFaults = 200;

export type WorkflowReport = Readonly<{
  /** In the order of the text, or of the definition. */
  faults: readonly WorkflowFault[];
  /** The number of faults beyond those listed. */
  more: number;
  /** The definition, which compiles; undefined if there is an error. */
  definition: WorkflowDefinition | undefined;
  /** The parsed JSON with the author's order of members; undefined if the text is not JSON. */
  value: JsonValue | undefined;
}>;

/** Authored text, or JSON. */
export type WorkflowSource = string | Exclude<JsonValue, string>;

type ReadOptions = Readonly<{
  kinds?: StepKinds;
  /** The registered agents; a step of any other agent is a warning. If undefined, agents are not checked. */
  agents?: KnownAgents | undefined;
}>;

/** Reads and validates a definition. Never throws; its time is proportional to its input. */
export function readWorkflow(source: WorkflowSource, options: ReadOptions = {}): WorkflowReport {
  if (typeof source !== 'string') return readValue(source, options, undefined);
  const text = new AuthoredText(source);
  if (text.value === undefined)
    return { ...listed(textFaults(text)), definition: undefined, value: undefined };
  return readValue(text.value, options, text);
}

/** The faults of a definition; without an error it compiles. See {@link readWorkflow}. */
export function validateWorkflow(
  source: WorkflowSource,
  options: ReadOptions = {},
): readonly WorkflowFault[] {
  return readWorkflow(source, options).faults;
}

function readValue(
  value: JsonValue,
  options: ReadOptions,
  text: AuthoredText | undefined,
): WorkflowReport {
  const found: UnlocatedFault[] = [];
  const sizeFault = measureFault(value);
  if (sizeFault) found.push(sizeFault);
  const definition = sizeFault
    ? undefined
    : findFaults(value, options, (fault) => found.push(fault));
  const faults = inOrder(found.map((fault) => locate(fault, text)));
  const isRefused = faults.some(({ severity }) => severity === 'error');
  return { ...listed(faults), definition: isRefused ? undefined : definition, value };
}

function textFaults(text: AuthoredText): readonly WorkflowFault[] {
  return text.faults.map(({ code, detail, offset }) => ({
    code,
    severity: faultSeverities[code],
    message: detail,
    pointer: '',
    ...text.positionOf(offset),
  }));
}

function locate(fault: UnlocatedFault, text: AuthoredText | undefined): WorkflowFault {
  const { code, message, pointer, suggestion } = fault;
  return {
    code,
    severity: faultSeverities[code],
    message,
    pointer,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(text && positionOf(fault, text)),
  };
}

function positionOf({ pointer, at }: UnlocatedFault, text: AuthoredText): TextPosition {
  return at === 'name' ? text.positionOfName(pointer) : text.positionAt(pointer, at);
}

/** In the order of the text if there is one, otherwise in the order of the checks. */
function inOrder(faults: readonly WorkflowFault[]): readonly WorkflowFault[] {
  return faults.toSorted(
    (left, right) =>
      (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0),
  );
}

function listed(faults: readonly WorkflowFault[]): Pick<WorkflowReport, 'faults' | 'more'> {
  if (faults.length <= maxFaults) return { faults, more: 0 };
  const errors = faults.filter(({ severity }) => severity === 'error');
  const warnings = faults.filter(({ severity }) => severity === 'warning');
  return {
    faults: [...errors, ...warnings].slice(0, maxFaults),
    more: faults.length - maxFaults,
  };
}

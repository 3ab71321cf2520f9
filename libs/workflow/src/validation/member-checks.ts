import { compileRetry } from '../definition/compile-attempts.js';
import { type CommonFields } from '../definition/fields.schema.js';
import { type StepFinding } from '../definition/step-kind.js';
import { kindOf } from '../definition/step-kinds.js';
import { type StepDefinition } from '../definition/step-types.js';
import { type DefinitionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';

/** Members that have an effect only on steps whose attempts workers carry out. */
const ofAttempts = [
  ...(['max_retries', 'retry_delay_ms', 'retry', 'timeout_ms', 'recovery', 'verify'] as const),
];

/** Reports members that contradict each other, or that have no effect on their step. */
export function checkMembers(model: DefinitionModel, report: Report): void {
  for (const { step, pointer } of model.placed) {
    const kind = kindOf(step, model.kinds);
    const findings = [
      ...(kind.makesAttempts ? attemptFindings(step) : ignoredMembers(step)),
      ...limitFindings(step),
      ...kind.check(step),
    ];
    for (const { code, member, message } of findings)
      report({ code, message, pointer: `${pointer}/${member}`, at: 'name' });
  }
}

function ignoredMembers(step: StepDefinition): readonly StepFinding[] {
  return ofAttempts
    .filter((member) => step[member] !== undefined)
    .map((member) => noEffect(member, `has no effect on a step of type ${step.type}: remove it`));
}

function attemptFindings(step: StepDefinition): readonly StepFinding[] {
  const { recovery, verify } = step;
  const needless =
    verify === undefined || recovery === 'verify'
      ? []
      : [noEffect('verify', 'has an effect only together with "recovery": "verify"')];
  return [...repeatedMembers(step), ...delayFindings(step), ...needless];
}

function repeatedMembers({
  max_retries,
  retry_delay_ms,
  retry = {},
}: CommonFields): readonly StepFinding[] {
  const repeated = [
    { member: 'max_retries', other: 'max_attempts', values: [max_retries, retry.max_attempts] },
    { member: 'retry_delay_ms', other: 'delay_ms', values: [retry_delay_ms, retry.delay_ms] },
  ];
  return repeated
    .filter(({ values }) => values.every((value) => value !== undefined))
    .map(({ member, other }) => ({
      code: 'contradictory-members',
      member,
      message: `${member} is retry.${other} under another name: remove one of them`,
    }));
}

function delayFindings(step: CommonFields): readonly StepFinding[] {
  const { delayMs, maxAttempts } = compileRetry(step);
  const { max_delay_ms = delayMs, delay_ms } = step.retry ?? {};
  const findings: StepFinding[] = [];
  if (max_delay_ms < delayMs)
    findings.push({
      code: 'contradictory-members',
      member: 'retry/max_delay_ms',
      message: `max_delay_ms is less than the first delay, ${delayMs} ms: raise it, or leave it out`,
    });
  if (delayMs > 0 && maxAttempts === 1)
    findings.push(
      noEffect(
        delay_ms === undefined ? 'retry_delay_ms' : 'retry/delay_ms',
        'has no effect, since there is one attempt only: set max_retries, which counts all attempts',
      ),
    );
  return findings;
}

/** An `on_limit` without a limit has no effect. */
function limitFindings(step: StepDefinition): readonly StepFinding[] {
  const ofStep = step.on_limit !== undefined && step.max_visits === undefined ? [''] : [];
  const ofRoutes = Object.entries(step).flatMap(([member, value]: readonly [string, unknown]) =>
    isUnlimitedRoute(value) ? [`${member}/`] : [],
  );
  return [...ofStep, ...ofRoutes].map((within) =>
    noEffect(`${within}on_limit`, 'has an effect only together with max_visits: add max_visits'),
  );
}

function isUnlimitedRoute(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'to' in value && 'on_limit' in value && !('max_visits' in value);
}

function noEffect(member: string, what: string): StepFinding {
  const name = member.slice(member.lastIndexOf('/') + 1);
  return { code: 'no-effect', member, message: `${name} ${what}` };
}

import { Injectable } from '@nestjs/common';

import { everything } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { sha256 } from '#read-models';
import {
  type ItemKey,
  type ItemLookup,
  type StepFacts,
  findRun,
  findRunStep,
  frozenOutputsKey,
  runInputKey,
  runKey,
  runStepKey,
  stepOutputKey,
} from '#shared-context';
import {
  type CompiledWorkflow,
  type ContextView,
  type Envelope,
  RunDraft,
  effectText,
  envelopeOf,
  givenText,
} from '#workflow';

import { type Principal } from '../access/principal.js';
import { readingAs } from '../access/reading-as.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { formFor } from '../views/view-defaults.js';
import { Views } from '../views/views.js';
import { ContextSize } from './context-size.js';
import { type CurrentFacts } from './attempt-facts.js';
import { type RunDefinition, RunDefinitions } from './run-definitions.js';
import { type StoreTime } from './store-clock.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** An attempt that waits for its start, and the run and the results that its worker is given. */
export type ScheduledAttempt = Readonly<{
  waiting: WaitingAttempt;
  workflow: CompiledWorkflow;
  current: ItemLookup;
  version: number;
}>;

/** Makes what workers are given. */
@Injectable()
export class EnvelopeMaker {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly definitions: RunDefinitions,
    private readonly size: ContextSize,
    private readonly views: Views,
  ) {}

  /** Undefined if the attempt does not wait for its start any more, or the definition of its run is not in this store. */
  async find(principal: Principal, waiting: WaitingAttempt): Promise<ScheduledAttempt | undefined> {
    const { contextId, runId, stepId } = waiting;
    const definition = await this.#definitionOf(principal, waiting);
    if (!definition) return undefined;
    const { hash, workflow } = definition;
    const wanted = { principal, contextId, audience: everything };
    const selection = { keys: envelopeKeys(workflow), bodies: true };
    const { state, head } = await this.contexts.read(wanted, selection);
    const current = state.lookup;
    const run = findRun(current);
    const isHere = run?.runId === runId && run.hash === hash;
    if (!isHere || !isScheduled(findRunStep(stepId, current), waiting)) return undefined;
    return { waiting, workflow, current, version: head.version };
  }

  /** A context of more tokens than the agent takes is replaced by a view, whose receipt says what the worker has seen. */
  async make(
    principal: Principal,
    scheduled: ScheduledAttempt,
    facts: CurrentFacts,
  ): Promise<Envelope> {
    const { context = {}, ...rest } = wholeEnvelope(principal, scheduled, facts);
    const view = await this.#viewInstead(principal, scheduled.waiting, { context, facts });
    if (!view) return { ...rest, context };
    return { ...rest, view: view.text, receipt: view.receipt };
  }

  async #definitionOf(
    principal: Principal,
    { contextId, runId }: WaitingAttempt,
  ): Promise<RunDefinition | undefined> {
    const { workspace } = principal;
    const recalled = this.definitions.recall(workspace, runId);
    if (recalled) return recalled;
    const wanted = { principal, contextId, audience: everything };
    const { state } = await this.contexts.read(wanted, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    const workflow = run && (await this.definitions.of(workspace, run));
    return run && workflow && { hash: run.hash, workflow };
  }

  async #viewInstead(
    principal: Principal,
    { contextId, agent }: WaitingAttempt,
    { context, facts }: Readonly<{ context: JsonObject; facts: CurrentFacts }>,
  ): Promise<ContextView | undefined> {
    const reader = readingAs(principal, agent);
    const { maxTokens, tokenizer: name } = formFor(reader.agentId, facts);
    if (!(await this.size.exceeds(context, maxTokens, name))) return undefined;
    const request = { principal: reader, contextId, audience: everything, agent };
    return this.views.render({ ...request, overflow: 'minimum' });
  }
}

function isScheduled(step: StepFacts | undefined, { visit, attempt }: WaitingAttempt): boolean {
  return step?.status === 'scheduled' && step.visit === visit && step.attempt === attempt;
}

function wholeEnvelope(
  { workspace }: Principal,
  { waiting: { contextId, runId, stepId }, workflow, current, version }: ScheduledAttempt,
  { now, epoch }: StoreTime,
): Envelope {
  const given = { contextId, runId, now, random: 0, epoch, version };
  const draft = new RunDraft(current, workflow, given);
  const envelope = envelopeOf(draft, stepId, { contextId, effectKey: '' });
  const path = findRunStep(stepId, current)?.path ?? stepId;
  // Views change with every event; what they are made from is the same for all attempts of a visit.
  const inputHash = sha256(givenText(envelope));
  const effectKey = sha256(effectText({ workspace, contextId, runId, path, inputHash }));
  return { ...envelope, effectKey };
}

/** All that a worker may be given: the newest results of all steps, and those of before their parallel steps began. */
function envelopeKeys({ steps }: CompiledWorkflow): readonly ItemKey[] {
  const ofSteps = Object.keys(steps).flatMap((stepId) => [
    ...[runStepKey(stepId), stepOutputKey(stepId), frozenOutputsKey(stepId)],
  ]);
  return [runKey, runInputKey, ...ofSteps];
}

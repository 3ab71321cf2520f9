import { Injectable } from '@nestjs/common';

import { type JsonObject } from '#event-sourcing';
import { sha256 } from '#read-models';
import {
  type ContextId,
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
import { type VisibilityFilter, everything } from '#visibility';
import {
  type CompiledWorkflow,
  type ContextView,
  type Envelope,
  RunDraft,
  type RunVisibility,
  effectText,
  envelopeOf,
  envelopeText,
  hiddenReference,
} from '#workflow';

import { type Principal } from '../access/principal.js';
import { readingAs } from '../access/claimed-agents.js';
import { formFor } from '../views/view-defaults.js';
import { Views } from '../views/views.js';
import { ContextSize } from './context-size.js';
import { type CurrentFacts } from './attempt-facts.js';
import { type RunDefinition, RunDefinitions } from './run-definitions.js';
import { RunReader } from './run-reader.js';
import {
  type RunContents,
  visibilityKeys,
  visibilityOf,
  untracedResults,
} from './run-visibility.js';
import { type StoreTime } from './store-clock.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** A scheduled attempt, with the run and the results for its worker. */
export type ScheduledAttempt = Readonly<{
  waiting: WaitingAttempt;
  workflow: CompiledWorkflow;
  current: ItemLookup;
  version: number;
  /** Undefined for a worker that sees everything. */
  visibility: RunVisibility | undefined;
  audience: string;
}>;

/** Makes the envelopes of workers. */
@Injectable()
export class EnvelopeMaker {
  constructor(
    private readonly reader: RunReader,
    private readonly definitions: RunDefinitions,
    private readonly size: ContextSize,
    private readonly views: Views,
  ) {}

  /** Undefined if the attempt is no longer scheduled, or this store does not contain the definition of its run. */
  async find(principal: Principal, waiting: WaitingAttempt): Promise<ScheduledAttempt | undefined> {
    const { contextId, runId, stepId } = waiting;
    const definition = await this.#definitionOf(principal, waiting);
    if (!definition) return undefined;
    const { hash, workflow } = definition;
    const filter = await this.reader.filterFor(principal, waiting.agent);
    const selection = {
      keys: [...envelopeKeys(workflow), ...visibilityKeys(filter, workflow)],
      bodies: true,
    };
    const { state, head } = await this.reader.readWhole({ principal, contextId }, selection);
    const current = state.lookup;
    const run = findRun(current);
    const isSameRun = run?.runId === runId && run.hash === hash;
    if (!isSameRun || !isScheduled(findRunStep(stepId, current), waiting)) return undefined;
    const visible = await this.#visibilityFor(filter, head, { workflow, current });
    return { waiting, workflow, current, version: head.version, ...visible };
  }

  /** The first name in the `input` of the step whose value is hidden from the worker. */
  findHidden(scheduled: ScheduledAttempt, time: StoreTime): string | undefined {
    if (!scheduled.visibility) return undefined;
    return hiddenReference(draftFor(scheduled, time), scheduled.waiting.stepId);
  }

  /** If the context exceeds the budget of the agent, a view replaces it, whose receipt states what the worker has read. */
  async make(
    principal: Principal,
    scheduled: ScheduledAttempt,
    facts: CurrentFacts,
  ): Promise<Envelope> {
    const { context = {}, ...rest } = fullEnvelope(principal, scheduled, facts);
    const view = await this.#viewInstead(principal, scheduled, { context, facts });
    if (!view) return { ...rest, context };
    return { ...rest, view: view.text, receipt: view.receipt };
  }

  async #visibilityFor(
    filter: VisibilityFilter | undefined,
    id: ContextId,
    run: RunContents,
  ): Promise<Pick<ScheduledAttempt, 'visibility' | 'audience'>> {
    if (!filter) return { visibility: undefined, audience: everything };
    const makers = await this.reader.findSources(id, untracedResults(run));
    return {
      visibility: visibilityOf(filter, { ...run, makers }),
      audience: filter.reader.audience,
    };
  }

  async #definitionOf(
    principal: Principal,
    { contextId, runId }: WaitingAttempt,
  ): Promise<RunDefinition | undefined> {
    const id = { workspace: principal.workspace, contextId };
    const recalled = this.definitions.recall(id, runId);
    if (recalled) return recalled;
    const request = { principal, contextId };
    const { state } = await this.reader.readWhole(request, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    const workflow = run && (await this.definitions.findWorkflow(id, run));
    return run && workflow && { hash: run.hash, workflow };
  }

  async #viewInstead(
    principal: Principal,
    { waiting: { contextId, agent }, audience }: ScheduledAttempt,
    { context, facts }: Readonly<{ context: JsonObject; facts: CurrentFacts }>,
  ): Promise<ContextView | undefined> {
    const reader = readingAs(principal, agent);
    const { maxTokens, tokenizer: name } = formFor(reader.agentId, facts);
    if (!(await this.size.exceeds(context, maxTokens, name))) return undefined;
    const request = { principal: reader, contextId, audience, agent };
    return this.views.render({ ...request, overflow: 'minimum' });
  }
}

function isScheduled(step: StepFacts | undefined, { visit, attempt }: WaitingAttempt): boolean {
  return step?.status === 'scheduled' && step.visit === visit && step.attempt === attempt;
}

function fullEnvelope(
  { workspace }: Principal,
  scheduled: ScheduledAttempt,
  time: StoreTime,
): Envelope {
  const { waiting, current } = scheduled;
  const { contextId, runId, stepId } = waiting;
  const envelope = envelopeOf(draftFor(scheduled, time), stepId, { contextId, effectKey: '' });
  const path = findRunStep(stepId, current)?.path ?? stepId;
  // Hashes the inputs and not a view: the inputs are the same for all attempts of a visit, and contain no hidden values.
  const inputHash = sha256(envelopeText(envelope));
  const effectKey = sha256(effectText({ workspace, contextId, runId, path, inputHash }));
  return { ...envelope, effectKey };
}

/** The run as it is visible to the worker that has claimed the attempt. */
function draftFor(
  { waiting: { contextId, runId }, workflow, current, version, visibility }: ScheduledAttempt,
  { now, epoch }: StoreTime,
): RunDraft {
  const facts = { contextId, runId, now, random: 0, epoch, version };
  return new RunDraft(current, workflow, facts, visibility);
}

/**
 * The keys of all items of an envelope: the newest results of all steps, and their results before their parallel steps
 * began.
 */
function envelopeKeys({ steps }: CompiledWorkflow): readonly ItemKey[] {
  const ofSteps = Object.keys(steps).flatMap((stepId) => [
    runStepKey(stepId),
    stepOutputKey(stepId),
    frozenOutputsKey(stepId),
  ]);
  return [runKey, runInputKey, ...ofSteps];
}

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

/** An attempt that waits for its start, and the run and the results that its worker is given. */
export type ScheduledAttempt = Readonly<{
  waiting: WaitingAttempt;
  workflow: CompiledWorkflow;
  current: ItemLookup;
  version: number;
  /** Of a worker who does not see everything. */
  visibility: RunVisibility | undefined;
  audience: string;
}>;

/** Makes what workers are given. */
@Injectable()
export class EnvelopeMaker {
  constructor(
    private readonly reader: RunReader,
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
    const filter = await this.reader.filterFor(principal, waiting.agent);
    const selection = {
      keys: [...envelopeKeys(workflow), ...visibilityKeys(filter, workflow)],
      bodies: true,
    };
    const { state, head } = await this.reader.readWhole({ principal, contextId }, selection);
    const current = state.lookup;
    const run = findRun(current);
    const isHere = run?.runId === runId && run.hash === hash;
    if (!isHere || !isScheduled(findRunStep(stepId, current), waiting)) return undefined;
    const seen = await this.#visibilityFor(filter, head, { workflow, current });
    return { waiting, workflow, current, version: head.version, ...seen };
  }

  /** The first name in the `input` of the step of which the worker does not see the value. */
  findHidden(scheduled: ScheduledAttempt, time: StoreTime): string | undefined {
    if (!scheduled.visibility) return undefined;
    return hiddenReference(draftFor(scheduled, time), scheduled.waiting.stepId);
  }

  /** A context of more tokens than the agent takes is replaced by a view, whose receipt says what the worker has seen. */
  async make(
    principal: Principal,
    scheduled: ScheduledAttempt,
    facts: CurrentFacts,
  ): Promise<Envelope> {
    const { context = {}, ...rest } = wholeEnvelope(principal, scheduled, facts);
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
    const wanted = { principal, contextId };
    const { state } = await this.reader.readWhole(wanted, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    const workflow = run && (await this.definitions.of(id, run));
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

function wholeEnvelope(
  { workspace }: Principal,
  scheduled: ScheduledAttempt,
  time: StoreTime,
): Envelope {
  const { waiting, current } = scheduled;
  const { contextId, runId, stepId } = waiting;
  const envelope = envelopeOf(draftFor(scheduled, time), stepId, { contextId, effectKey: '' });
  const path = findRunStep(stepId, current)?.path ?? stepId;
  // Views change with every event; what they are made from is the same for all attempts of a visit, and does not contain what is hidden.
  const inputHash = sha256(envelopeText(envelope));
  const effectKey = sha256(effectText({ workspace, contextId, runId, path, inputHash }));
  return { ...envelope, effectKey };
}

/** The run as the worker that has claimed the attempt sees it. */
function draftFor(
  { waiting: { contextId, runId }, workflow, current, version, visibility }: ScheduledAttempt,
  { now, epoch }: StoreTime,
): RunDraft {
  const given = { contextId, runId, now, random: 0, epoch, version };
  return new RunDraft(current, workflow, given, visibility);
}

/** The keys of all that a worker may be given: the newest results of all steps, and those from before their parallel steps began. */
function envelopeKeys({ steps }: CompiledWorkflow): readonly ItemKey[] {
  const ofSteps = Object.keys(steps).flatMap((stepId) => [
    runStepKey(stepId),
    stepOutputKey(stepId),
    frozenOutputsKey(stepId),
  ]);
  return [runKey, runInputKey, ...ofSteps];
}

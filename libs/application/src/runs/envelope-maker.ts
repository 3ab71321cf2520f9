import { Injectable } from '@nestjs/common';

import { everything, openTokenizer } from '#context-views';
import { type JsonObject, utf8Length } from '#event-sourcing';
import { sha256 } from '#read-models';
import {
  type ItemKey,
  findRunStep,
  frozenOutputsKey,
  runInputKey,
  runKey,
  runStepKey,
  stepOutputKey,
} from '#shared-context';
import { runInSlices } from '#slices';
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
import { ViewDefaults } from '../views/view-defaults.js';
import { Views } from '../views/views.js';
import { type StoreTime } from './store-clock.js';
import { type WaitingAttempt } from './work-queue.js';

/** What the envelope of an attempt is made from, beside the attempt. */
type Making = StoreTime & Readonly<{ principal: Principal; workflow: CompiledWorkflow }>;

/** Makes what workers are given. */
@Injectable()
export class EnvelopeMaker {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly defaults: ViewDefaults,
    private readonly views: Views,
  ) {}

  /** A context of more tokens than the agent takes is replaced by a view, whose receipt says what the worker has seen. */
  async make(waiting: WaitingAttempt, making: Making): Promise<Envelope> {
    const { context = {}, ...rest } = await this.#whole(waiting, making);
    const view = await this.#viewInstead(waiting, making, context);
    if (!view) return { ...rest, context };
    return { ...rest, view: view.text, receipt: view.receipt };
  }

  async #whole(
    { contextId, runId, stepId }: WaitingAttempt,
    { principal, workflow, now, epoch }: Making,
  ): Promise<Envelope> {
    const keys = envelopeKeys(workflow);
    const wanted = { principal, contextId, audience: everything };
    const { state, head } = await this.contexts.read(wanted, { keys, bodies: true });
    const given = { contextId, runId, now, random: 0, epoch, version: head.version };
    const draft = new RunDraft(state.lookup, workflow, given);
    const envelope = envelopeOf(draft, stepId, { contextId, effectKey: '' });
    const path = findRunStep(stepId, state.lookup)?.path ?? stepId;
    // Views change with every event; what they are made from is the same for all attempts of a visit.
    const inputHash = sha256(givenText(envelope));
    const { workspace } = principal;
    const effectKey = sha256(effectText({ workspace, contextId, runId, path, inputHash }));
    return { ...envelope, effectKey };
  }

  async #viewInstead(
    { contextId, agent }: WaitingAttempt,
    { principal }: Making,
    context: JsonObject,
  ): Promise<ContextView | undefined> {
    const reader = readingAs(principal, agent);
    const { maxTokens, tokenizer: name } = await this.defaults.fill({
      ...{ principal: reader, contextId },
    });
    const text = JSON.stringify(context);
    // No token has less than a byte.
    if (utf8Length(text) <= maxTokens) return undefined;
    const tokenizer = await runInSlices(openTokenizer(name));
    if (tokenizer.tokensOf(tokenizer.unitsOf(text)) <= maxTokens) return undefined;
    const request = { principal: reader, contextId, audience: everything, agent };
    return this.views.render({ ...request, overflow: 'minimum' });
  }
}

/** All that a worker may be given: the newest results of all steps, and those of before their parallel steps began. */
function envelopeKeys({ steps }: CompiledWorkflow): readonly ItemKey[] {
  const ofSteps = Object.keys(steps).flatMap((stepId) => [
    ...[runStepKey(stepId), stepOutputKey(stepId), frozenOutputsKey(stepId)],
  ]);
  return [runKey, runInputKey, ...ofSteps];
}

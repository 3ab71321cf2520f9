import { Injectable } from '@nestjs/common';

import { everything } from '#context-views';
import { DomainError } from '#event-sourcing';
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
import {
  type CompiledWorkflow,
  type Envelope,
  RunDraft,
  effectText,
  envelopeOf,
  givenText,
} from '#workflow';

import { type Principal } from '../access/principal.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { hashOfToken, makeToken } from './attempt-token.js';
import { type FoundRun, RunWriter } from './run-writer.js';
import { type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt, WorkQueue } from './work-queue.js';
import { authorFor, originFor } from './worker.js';

/** Starts attempts for whoever has claimed them. */
@Injectable()
export class AttemptStarter {
  constructor(
    private readonly queue: WorkQueue,
    private readonly contexts: ReachableContext,
    private readonly writer: RunWriter,
  ) {}

  /** Undefined if somebody else is about to start it, or the run refuses. */
  async tryStart(principal: Principal, waiting: WaitingAttempt): Promise<ClaimedWork | undefined> {
    const { workspace, name } = principal;
    if (!(await this.queue.claim(workspace, waiting, name))) return undefined;
    let started: ClaimedWork | undefined;
    try {
      started = await this.#start(principal, waiting);
    } catch (error) {
      // The row was behind: what the run itself refuses does not concern the worker.
      if (!(error instanceof DomainError && refusals.has(error.code))) throw error;
    }
    if (!started) await this.queue.release(workspace, waiting);
    return started;
  }

  async #start(principal: Principal, waiting: WaitingAttempt): Promise<ClaimedWork | undefined> {
    const { contextId, runId, stepId, visit, attempt, agent } = waiting;
    const found = await this.writer.find({ principal, contextId }, runId);
    if (!found.workflow) return undefined;
    const envelope = await this.#envelope(principal, waiting, found, found.workflow);
    const attemptToken = makeToken({ ...waiting, claimedBy: principal.name });
    const tokenHash = hashOfToken(attemptToken);
    const origin = originFor(principal, agent);
    const request = { principal, contextId, origin, startedUnder: tokenHash };
    const worker = authorFor(principal, agent);
    const { effectKey } = envelope;
    const { events } = await this.writer.advance(request, found, {
      ...{ type: 'claim', stepId, visit, attempt, tokenHash, worker, effectKey },
    });
    const started = events.find(({ type }) => type === 'StepAttemptStarted');
    return started && { ...envelope, attemptToken, deadline: deadlineOf(found, stepId) };
  }

  async #envelope(
    principal: Principal,
    { contextId, runId, stepId }: WaitingAttempt,
    { now, epoch }: FoundRun,
    workflow: CompiledWorkflow,
  ): Promise<Envelope> {
    const keys = envelopeKeys(workflow);
    const wanted = { principal, contextId, audience: everything };
    const { state, head } = await this.contexts.read(wanted, { keys, bodies: true });
    const given = { contextId, runId, now, random: 0, epoch, version: head.version };
    const draft = new RunDraft(state.lookup, workflow, given);
    const envelope = envelopeOf(draft, stepId, { contextId, effectKey: '' });
    const path = findRunStep(stepId, state.lookup)?.path ?? stepId;
    const inputHash = sha256(givenText(envelope));
    const { workspace } = principal;
    const effectKey = sha256(effectText({ workspace, contextId, runId, path, inputHash }));
    return { ...envelope, effectKey };
  }
}

/** What says that an attempt is not to be started now. */
const refusals: ReadonlySet<string> = new Set([
  ...['run-state', 'stale-attempt', 'context-not-found', 'context-closed', 'not-found'],
]);

/** All that a worker may be given: the newest results of all steps, and those of before their parallel steps began. */
function envelopeKeys({ steps }: CompiledWorkflow): readonly ItemKey[] {
  const ofSteps = Object.keys(steps).flatMap((stepId) => [
    ...[runStepKey(stepId), stepOutputKey(stepId), frozenOutputsKey(stepId)],
  ]);
  return [runKey, runInputKey, ...ofSteps];
}

function deadlineOf({ workflow, now }: FoundRun, stepId: string): string {
  const step = workflow?.steps[stepId];
  const timeoutMs = step?.type === 'agent' ? step.attempts.timeoutMs : 0;
  return new Date(now + timeoutMs).toISOString();
}

import { isDeepStrictEqual } from 'node:util';

import { streamOf } from '../context-client.js';
import { waitUntil } from '../wait-until.js';
import { type CommitGate } from './commit-gate.js';
import { type CrashWorkflow, recoveriesOf } from './crash-workflows.js';
import { type RunScene } from './run-scene.js';
import {
  type Outcome,
  type RunEvents,
  describeStory,
  doubtsOf,
  faultsIn,
  faultsOutside,
  lostOf,
  outcomeOf,
  readStory,
} from './run-story.js';

export type Victim = 'server' | 'worker';

/** A run without a kill, with which the others are compared. */
export type ReferenceRun = Readonly<{
  outcome: Outcome;
  story: RunEvents;
  events: number;
  effects: number;
}>;

/** Kills a victim at points of runs, and checks the invariants of each run. */
export class CrashTrials {
  figures = { runs: 0, killed: 0, lost: 0, questions: 0, over: 0 };
  #undisturbed = new Map<string, ReferenceRun>();

  constructor(
    private readonly scene: RunScene,
    /** Undefined if appends cannot be blocked: a victim is killed as soon as an event exists then. */
    private readonly gate: CommitGate | undefined,
  ) {}

  /**
   * Runs this workflow without a kill; the result has the numbers of events and effects at which other runs can be
   * killed.
   */
  async undisturbed(workflow: CrashWorkflow): Promise<ReferenceRun> {
    const { contextId, outcome, story } = await this.complete(workflow, 'undisturbed');
    if (outcome.status !== 'completed') expect(describeStory(story)).toEqual([]);
    const found = { outcome, story, events: story.length, effects: this.callsOf(contextId).length };
    this.#undisturbed.set(workflow.id, found);
    return found;
  }

  /** Runs this workflow and expects the outcome of the reference run, regardless of the faults during the run. */
  async complete(workflow: CrashWorkflow, name: string) {
    const contextId = await this.begin(workflow, name);
    return { contextId, ...(await this.finish(contextId, workflow)) };
  }

  async begin(workflow: CrashWorkflow, name: string): Promise<string> {
    const contextId = await this.create(workflow, name);
    await this.scene.client.start(contextId, workflow.id);
    return contextId;
  }

  /** Kills the victim when the event of this index is stored and the next one is not yet committed. */
  async killAt(workflow: CrashWorkflow, victim: Victim, index: number): Promise<void> {
    const contextId = await this.create(workflow, `${victim}-event-${index}`);
    const sessions =
      victim === 'server' ? this.scene.run.random.pick(['die', 'go on'] as const) : 'go on';
    await this.gate?.close(contextId, index);
    const starting = this.scene.client.start(contextId, workflow.id);
    let hasEnded = false;
    const finishing = this.finish(contextId, workflow).finally(() => (hasEnded = true));
    // A failure in the meantime is reported when the promise is awaited.
    finishing.catch(() => undefined);
    // Attempts lost on a busy machine add events to one of the two runs only.
    await this.#reached(contextId, index, () => hasEnded);
    await this.#kill(victim);
    await this.gate?.open(sessions);
    await this.#restart(victim);
    await starting;
    await finishing;
  }

  /** Kills the victim when the outside server has executed the nth call and its answer was not read. */
  async killInEffect(workflow: CrashWorkflow, victim: Victim, nth: number): Promise<void> {
    const { outside, client } = this.scene;
    const contextId = await this.create(workflow, `${victim}-effect-${nth}`);
    const release = Promise.withResolvers<void>();
    const blocked = outside.holdAnswer(
      (made) => made.contextId === contextId && this.callsOf(contextId).length === nth,
      release.promise,
    );
    await client.start(contextId, workflow.id);
    const finishing = this.finish(contextId, workflow);
    // On a busy machine, attempts are lost without a kill: then this run has fewer calls than the reference run.
    await Promise.race([blocked, finishing]);
    const call = this.callsOf(contextId)[nth - 1];
    await this.#kill(victim);
    await this.#restart(victim);
    release.resolve();
    const { story } = await finishing;
    outside.holdNothing();
    if (victim !== 'worker' || !call) return;
    const { id, path, attempt } = call.step;
    if (recoveriesOf(workflow).get(id) !== 'ask') return;
    const asked = doubtsOf(story).flatMap(({ data }) => (data.path === path ? [data.attempt] : []));
    expect([contextId, asked]).toEqual([contextId, expect.arrayContaining([attempt])]);
  }

  async create(workflow: CrashWorkflow, name: string): Promise<string> {
    const contextId = `${workflow.id}-${name}`;
    await this.scene.client.create(contextId);
    return contextId;
  }

  /** Decides the approvals until the run has ended, and checks its invariants. */
  async finish(contextId: string, workflow: CrashWorkflow) {
    const { client, run, outside } = this.scene;
    const shown = await waitForRun(() => client.find(contextId), contextId).then(() =>
      client.finish(contextId),
    );
    const story = await readStory(run.store, contextId);
    const recoveries = recoveriesOf(workflow);
    const faults = [
      ...faultsIn(story, recoveries),
      ...faultsOutside(outside, contextId, story, recoveries),
    ];
    const outcome = outcomeOf(shown, story);
    const expected = this.#undisturbed.get(workflow.id)?.outcome ?? outcome;
    if (faults.length > 0 || !isDeepStrictEqual(outcome, expected))
      expect({ contextId, faults, outcome, story: describeStory(story) }).toEqual({
        contextId,
        faults: [],
        outcome: expected,
        story: [],
      });
    this.#count(story);
    return { outcome, story };
  }

  #count(story: RunEvents): void {
    this.figures.runs += 1;
    this.figures.lost += lostOf(story).length;
    this.figures.questions += doubtsOf(story).length;
  }

  async #reached(contextId: string, index: number, hasEnded: () => boolean): Promise<void> {
    const { gate } = this;
    await waitUntil(
      `event ${index} of ${contextId}`,
      async () =>
        hasEnded() || (gate ? gate.isReached() : (await this.#version(contextId)) >= index),
    );
    if (hasEnded()) this.figures.over += 1;
  }

  async #version(contextId: string): Promise<number> {
    const options = { direction: 'backwards', limit: 1 } as const;
    const [newest] = await this.scene.run.store.readStream(streamOf(contextId), options);
    return newest?.version ?? 0;
  }

  async #kill(victim: Victim): Promise<void> {
    this.figures.killed += 1;
    if (victim === 'server') await this.scene.killServers();
    else await this.scene.killWorkers();
  }

  async #restart(victim: Victim): Promise<void> {
    if (victim === 'server') await this.scene.startServer();
    else this.scene.startWorker();
  }

  callsOf(contextId: string) {
    return this.scene.outside.calls.filter((each) => each.contextId === contextId);
  }
}

function waitForRun(find: () => Promise<unknown>, contextId: string): Promise<unknown> {
  return waitUntil(`a run in ${contextId}`, find, (run) => run !== undefined);
}

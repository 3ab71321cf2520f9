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

/** A run that nothing disturbed, which the others are compared with. */
export type Undisturbed = Readonly<{
  outcome: Outcome;
  story: RunEvents;
  events: number;
  effects: number;
}>;

/** Kills a victim at points of runs, and holds every run to what must be true of it. */
export class CrashTrials {
  figures = { runs: 0, killed: 0, lost: 0, questions: 0, over: 0 };
  #undisturbed = new Map<string, Undisturbed>();

  constructor(
    private readonly scene: RunScene,
    /** Undefined if appends cannot be held: then a victim is killed as soon as an event is seen. */
    private readonly gate: CommitGate | undefined,
  ) {}

  /** A run of this workflow without a kill; its figures say at which points the others can be killed. */
  async undisturbed(workflow: CrashWorkflow): Promise<Undisturbed> {
    const { contextId, outcome, story } = await this.complete(workflow, 'undisturbed');
    if (outcome.status !== 'completed') expect(describeStory(story)).toEqual([]);
    const found = { outcome, story, events: story.length, effects: this.callsOf(contextId).length };
    this.#undisturbed.set(workflow.id, found);
    return found;
  }

  /** A run that comes to what an undisturbed one comes to, whatever happens to it meanwhile. */
  async complete(workflow: CrashWorkflow, name: string) {
    const contextId = await this.begin(workflow, name);
    return { contextId, ...(await this.finish(contextId, workflow)) };
  }

  async begin(workflow: CrashWorkflow, name: string): Promise<string> {
    const contextId = await this.create(workflow, name);
    await this.scene.client.start(contextId, workflow.id);
    return contextId;
  }

  /** Killed when the event of this index is stored and the next one is not, or may be. */
  async killAt(workflow: CrashWorkflow, victim: Victim, index: number): Promise<void> {
    const contextId = await this.create(workflow, `${victim}-event-${index}`);
    const sessions =
      victim === 'server' ? this.scene.run.random.pick(['die', 'go on'] as const) : 'go on';
    await this.gate?.close(contextId, index);
    const starting = this.scene.client.start(contextId, workflow.id);
    let isOver = false;
    const finishing = this.finish(contextId, workflow).finally(() => (isOver = true));
    // What fails meanwhile is reported when it is waited for.
    finishing.catch(() => undefined);
    // An attempt that is lost on a busy machine is more events of the one run, and fewer of the other.
    await this.#reached(contextId, index, () => isOver);
    await this.#kill(victim);
    await this.gate?.open(sessions);
    await this.#restart(victim);
    await starting;
    await finishing;
  }

  /** Killed when the outside server has carried out the nth call, of which nobody has read the answer. */
  async killInEffect(workflow: CrashWorkflow, victim: Victim, nth: number): Promise<void> {
    const { outside, client } = this.scene;
    const contextId = await this.create(workflow, `${victim}-effect-${nth}`);
    const release = Promise.withResolvers<void>();
    const held = outside.holdAnswer(
      (made) => made.contextId === contextId && this.callsOf(contextId).length === nth,
      release.promise,
    );
    await client.start(contextId, workflow.id);
    const finishing = this.finish(contextId, workflow);
    // On a busy machine, attempts are lost that nobody has killed: then this run has fewer calls than the undisturbed one.
    await Promise.race([held, finishing]);
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

  /** Decides for people until the run has ended, and holds it to what must be true of it. */
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

  async #reached(contextId: string, index: number, isOver: () => boolean): Promise<void> {
    const { gate } = this;
    await waitUntil(
      `event ${index} of ${contextId}`,
      async () => isOver() || (gate ? gate.isReached() : (await this.#version(contextId)) >= index),
    );
    if (isOver()) this.figures.over += 1;
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

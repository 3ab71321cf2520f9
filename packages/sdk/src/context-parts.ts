import { Artifacts } from './parts/artifacts.js';
import { Checkpoints } from './parts/checkpoints.js';
import { Decisions } from './parts/decisions.js';
import { Handovers } from './parts/handovers.js';
import { InputRequests } from './parts/input-requests.js';
import { Iterations } from './parts/iterations.js';
import { Phases } from './parts/phases.js';
import { Plan } from './parts/plan.js';
import { Records } from './parts/records.js';
import { Reviews } from './parts/reviews.js';
import { Signals } from './parts/signals.js';
import { Steps } from './parts/steps.js';
import { Tasks } from './parts/tasks.js';
import { type Endpoints } from './endpoints.js';

/** The parts of a context, each with its requests. */
export class ContextParts {
  readonly decisions: Decisions;
  readonly steps: Steps;
  readonly tasks: Tasks;
  readonly phases: Phases;
  readonly artifacts: Artifacts;
  readonly handovers: Handovers;
  readonly inputRequests: InputRequests;
  readonly reviews: Reviews;
  readonly records: Records;
  readonly signals: Signals;
  readonly iterations: Iterations;
  readonly plan: Plan;
  readonly checkpoints: Checkpoints;

  constructor(protected readonly endpoints: Endpoints) {
    this.decisions = new Decisions(endpoints);
    this.steps = new Steps(endpoints);
    this.tasks = new Tasks(endpoints);
    this.phases = new Phases(endpoints);
    this.artifacts = new Artifacts(endpoints);
    this.handovers = new Handovers(endpoints);
    this.inputRequests = new InputRequests(endpoints);
    this.reviews = new Reviews(endpoints);
    this.records = new Records(endpoints);
    this.signals = new Signals(endpoints);
    this.iterations = new Iterations(endpoints);
    this.plan = new Plan(endpoints);
    this.checkpoints = new Checkpoints(endpoints);
  }
}

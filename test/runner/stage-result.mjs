import { relative } from 'node:path';

import { root } from './child-processes.mjs';
import { describeRepeat } from './repeat-command.mjs';

/** The result of a stage: counted while it runs, read by the progress lines and the summary. */
export class StageResult {
  passed = 0;
  failed = 0;
  /** Undefined if the system does not report it: see takeProcessorSeconds. */
  processorSeconds = undefined;
  /** The number of suites; unknown until jest has listed them. */
  suiteCount = undefined;
  /** The path, the seconds and, if known, the processor seconds of each suite that has ended. */
  suites = [];
  /** Each failure with the command that repeats it. */
  failures = [];
  skippedTitles = [];
  absentTitles = [];
  hasEnded = false;
  #started = performance.now();
  #ended = undefined;
  #hasSuites;
  #running = new Set();

  constructor({ name, project }, request) {
    this.name = name;
    this.request = request;
    this.#hasSuites = project !== undefined;
  }

  /** The seconds from the start of the stage to its end. */
  get seconds() {
    return ((this.#ended ?? performance.now()) - this.#started) / 1000;
  }

  /** The paths of running suites. */
  get running() {
    return [...this.#running];
  }

  /** Whether no more suites will start. */
  get isDraining() {
    return this.suites.length + this.#running.size >= (this.suiteCount ?? Infinity);
  }

  end() {
    this.#ended = performance.now();
    return this;
  }

  /** Handles an event of the suite reporter; returns the lines to print. */
  take(event) {
    if (event.kind === 'run-started') this.suiteCount = event.suites;
    if (event.kind === 'run-ended') this.hasEnded = true;
    if (event.kind === 'suite-started') this.#running.add(pathOf(event));
    return event.kind === 'suite-ended' ? this.#takeSuite(event) : [];
  }

  /** Counts a failed program, or a run that ended badly while `paths` ran; returns the lines to print. */
  fail(what, text, paths) {
    const seed = this.#hasSuites ? this.request.seed : undefined;
    const command = describeRepeat({ stage: this.name, seed, paths });
    this.failed += 1;
    this.failures.push({ what, command });
    return [`FAILED ${what}`, text.trimEnd(), `repeat: ${command}`];
  }

  #takeSuite({ tests, seconds, processorSeconds, failureText, isBroken, logged, ...event }) {
    const path = pathOf(event);
    this.#running.delete(path);
    this.suites.push({ stage: this.name, path, seconds, processorSeconds });
    this.passed += tests.filter(({ status }) => status === 'passed').length;
    this.#takeSkipped(path, tests);
    const failed = tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
    // A suite that fails outside of its tests has a failure and no failed test.
    const titles = failed.length === 0 && (isBroken || failureText !== '') ? [undefined] : failed;
    if (titles.length === 0) return [];
    const commands = titles.map((title) => this.#takeFailure(path, title));
    return [`FAILED ${this.name} ${path}`, failureText.trimEnd(), ...logged, ...commands];
  }

  #takeFailure(path, title) {
    const { seed } = this.request;
    const command = describeRepeat({ stage: this.name, seed, paths: [path], title });
    this.failed += 1;
    this.failures.push({ what: `${this.name} ${path}${title ? `: ${title}` : ''}`, command });
    return `repeat: ${command}`;
  }

  #takeSkipped(path, tests) {
    // Suites have ABSENT in a title if the data that they need is missing.
    const absent = tests.flatMap(({ title, groups }) =>
      [...groups, title].filter((text) => text.includes('ABSENT')).slice(0, 1),
    );
    this.absentTitles.push(...new Set(absent));
    // A pattern for titles skips all other tests, which are not worth reporting.
    if (this.request.title !== undefined) return;
    const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
    this.skippedTitles.push(...skipped.map(({ title }) => `${this.name} ${path}: ${title}`));
  }
}

/** `N passed, N failed`, which machines read at the end of a run. */
export function describeCounts({ passed, failed, skippedTitles: { length } }) {
  return `${passed} passed, ${failed} failed${length > 0 ? `, ${length} skipped` : ''}`;
}

function pathOf({ path }) {
  return relative(root, path);
}

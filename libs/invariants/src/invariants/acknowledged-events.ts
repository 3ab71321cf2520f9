import { type StoredEvent } from '#event-sourcing';

import { type AppendLine } from '../history/history.schema.js';
import { commandOf } from '../history/operations.js';
import { Findings, type InvariantReport } from '../invariant-report.js';

/** I1: every acknowledged event is stored, and all answers to one command are equal. */
export class AcknowledgedEvents {
  readonly #findings = new Findings('I1');
  /** Event ids by version, for each stream. */
  readonly #expected = new Map<string, Map<number, string>>();

  constructor(appends: readonly AppendLine[]) {
    const answers = new Map<string, string>();
    for (const append of appends) {
      const expected = this.#expected.get(append.stream) ?? new Map<number, string>();
      this.#expected.set(append.stream, expected);
      if (append.outcome !== 'ok' || append.version === undefined) continue;
      this.#compareAnswers(append, answers);
      const first = append.version - append.count + 1;
      append.eventIds?.forEach((eventId, at) => this.#expect(append, first + at, eventId));
    }
  }

  has(stream: string): boolean {
    return this.#expected.has(stream);
  }

  find({ stream, version, eventId }: StoredEvent): void {
    const expected = this.#expected.get(stream)?.get(version);
    if (expected === undefined) return;
    if (expected !== eventId)
      this.#findings.offend(
        `${stream}: version ${version} is event ${eventId}, but event ${expected} was acknowledged`,
      );
    this.#expected.get(stream)?.delete(version);
  }

  /** Call it after the whole log was read. */
  report(): InvariantReport {
    for (const [stream, missing] of this.#expected)
      for (const [version, eventId] of missing)
        this.#findings.offend(`${stream}: event ${eventId}, version ${version}, is not in the log`);
    return this.#findings.report();
  }

  #expect(append: AppendLine, version: number, eventId: string): void {
    const expected = this.#expected.get(append.stream);
    const previous = expected?.get(version);
    if (previous !== undefined && previous !== eventId)
      this.#findings.offend(`${append.stream}: version ${version} was acknowledged twice`);
    if (previous === undefined) this.#findings.checked();
    expected?.set(version, eventId);
  }

  #compareAnswers(append: AppendLine, answers: Map<string, string>): void {
    const command = commandOf(append);
    const answer = `${append.version} ${append.eventIds?.join(' ') ?? ''}`;
    const previous = answers.get(command);
    if (previous !== undefined && previous !== answer)
      this.#findings.offend(`${append.stream}: two answers to one command, key ${append.key}`);
    answers.set(command, previous ?? answer);
  }
}

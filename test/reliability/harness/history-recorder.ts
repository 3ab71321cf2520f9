import { type History, type HistoryLine, historyFormat, historyOf } from '#invariants';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Records the requests of clients and their answers on one monotonic clock. */
export class HistoryRecorder {
  readonly lines: HistoryLine[] = [];

  constructor(
    readonly scenario: string,
    readonly seed: number,
  ) {
    this.lines.push({ kind: 'run', history: historyFormat, scenario, seed });
  }

  /** In microseconds. */
  now(): number {
    return Number(process.hrtime.bigint() / 1_000n);
  }

  add(line: HistoryLine): void {
    this.lines.push(line);
  }

  end(figures: Readonly<Record<string, number | string>>): History {
    this.add({ kind: 'end', at: this.now(), figures: { ...figures } });
    return historyOf(this.lines);
  }

  /** Writes the history to a file for the analysis of a failure. */
  async save(): Promise<string> {
    const file = join(tmpdir(), `throughline-${this.scenario}-${this.seed}.jsonl`);
    await writeFile(file, this.lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  }
}

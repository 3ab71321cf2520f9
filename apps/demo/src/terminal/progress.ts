import { type Terminal } from './terminal.js';

const barWidth = 30;
const frameMs = 80;
const plainLines = 10;

/** Reports the progress of a demo: a bar on a terminal, otherwise ten plain lines. */
export class Progress {
  #done = 0;
  #shownAt = -Infinity;

  constructor(
    private readonly terminal: Terminal,
    private readonly total: number,
    private readonly unit: string,
    private readonly describe: () => string = () => '',
  ) {}

  advance(): void {
    this.#done += 1;
    if (this.terminal.show) this.#draw(this.terminal.show);
    else if (this.#isTenth()) this.terminal.write(`  ${this.#text()}`);
  }

  #draw(show: (line: string) => void): void {
    const now = performance.now();
    if (now - this.#shownAt < frameMs && this.#done < this.total) return;
    this.#shownAt = now;
    const filled = Math.round((this.#done / this.total) * barWidth);
    show(`[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${this.#text()}`);
  }

  #text(): string {
    const more = this.describe();
    return `${count(this.#done)} of ${count(this.total)} ${this.unit}${more && `, ${more}`}`;
  }

  #isTenth(): boolean {
    const tenths = (done: number) => Math.floor((done * plainLines) / this.total);
    return tenths(this.#done) > tenths(this.#done - 1);
  }
}

/** 1234 as `1,234`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

import { progressBar } from '../progress-bar.js';
import { type Progress } from '../terminal.js';

/** Shows the progress through some files in bytes, if there is a terminal. */
export class ByteProgress {
  #done = 0;

  constructor(
    private readonly progress: Progress | undefined,
    private readonly label: string,
    private readonly total: number,
  ) {}

  add(bytes: number): void {
    this.#done += bytes;
    const share = this.total === 0 ? 1 : this.#done / this.total;
    this.progress?.show(
      `${progressBar(share)}${this.label}, ${megabytes(this.#done)} of ${megabytes(this.total)} MB`,
    );
  }

  end(): void {
    this.progress?.clear();
  }
}

function megabytes(bytes: number): string {
  const format = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (bytes / 1_000_000).toLocaleString('en-US', format);
}

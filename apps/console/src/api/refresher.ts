/** Runs a function after a while; returns a function that cancels it. */
type Schedule = (run: () => void) => () => void;

/**
 * Collects changes for a while and then reads once. Changes that arrive during a read are collected until it ends: another
 * read would cancel it, so that a slow read would never end while changes arrive.
 */
export class Refresher {
  #cancel: (() => void) | undefined;
  #isChanged = false;
  #isReset = false;
  #isReading = false;
  #isStopped = false;

  /** `read` gets whether immutable data is read again, too. */
  constructor(
    private readonly read: (includesImmutable: boolean) => Promise<unknown>,
    private readonly schedule: Schedule,
  ) {}

  /** `isReset`: anything may have changed. */
  change(isReset: boolean): void {
    this.#isChanged = true;
    this.#isReset ||= isReset;
    this.#start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #start(): void {
    if (!this.#isChanged || this.#isReading || this.#isStopped) return;
    this.#cancel ??= this.schedule(() => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    const includesImmutable = this.#isReset;
    [this.#cancel, this.#isChanged, this.#isReset] = [undefined, false, false];
    this.#isReading = true;
    await this.read(includesImmutable);
    this.#isReading = false;
    this.#start();
  }
}

type WrittenId = Readonly<{ stream: string; revision: bigint }>;

/** ESConsts.CommittedEventsMemCacheLimit */
const limitInBytes = 8 * 1024 * 1024;

/**
 * The revision at which a node first wrote each id as the leader: in memory only; the oldest ids are evicted first
 * (BoundedCache.cs).
 */
export class RecentIds {
  readonly #written = new Map<string, WrittenId>();
  #bytes = 0;

  revisionOf(id: string, stream: string): bigint | undefined {
    const written = this.#written.get(id);
    return written?.stream === stream ? written.revision : undefined;
  }

  remember(id: string, written: WrittenId): void {
    if (this.#written.has(id)) return;
    this.#written.set(id, written);
    this.#bytes += sizeOf(written);
    for (const oldest of this.#written.keys()) {
      if (this.#bytes <= limitInBytes) return;
      this.#forget(oldest);
    }
  }

  clear(): void {
    this.#written.clear();
    this.#bytes = 0;
  }

  #forget(id: string): void {
    const written = this.#written.get(id);
    if (!written) return;
    this.#written.delete(id);
    this.#bytes -= sizeOf(written);
  }
}

function sizeOf({ stream }: WrittenId): number {
  return 16 + 4 + 8 + 2 * stream.length;
}

import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

import { type ContextHead, type ContextId, ContextReader } from '#read-models';

/** Reading all of a context takes some hundredths of a second from here on. */
const largeBytes = 512 * 1024;
const largeVersion = 500;
/** A context cannot grow much in so many milliseconds. */
const rememberedMs = 5_000;
const mostRemembered = 10_000;

/** Whether a context is so large that reading all of it would keep others waiting; false if it is not there. */
export class IsLargeContextQuery extends Query<boolean> {
  constructor(
    readonly workspace: string,
    readonly contextId: string,
  ) {
    super();
  }
}

/** A context stays large; whether a small one has grown is looked up again after some seconds. */
@QueryHandler(IsLargeContextQuery)
export class IsLargeContextHandler implements IQueryHandler<IsLargeContextQuery> {
  /** When a context was looked up; Infinity if it is large. */
  readonly #known = new Map<string, number>();

  constructor(@Inject(ContextReader) private readonly reader: ContextReader) {}

  async execute({ workspace, contextId }: IsLargeContextQuery): Promise<boolean> {
    const name = `${workspace}:${contextId}`;
    const lookedUp = this.#known.get(name) ?? 0;
    if (performance.now() - lookedUp < rememberedMs && lookedUp > 0) return lookedUp === Infinity;
    const isLarge = await this.#isLarge({ workspace, contextId });
    this.#remember(name, isLarge ? Infinity : performance.now());
    return isLarge;
  }

  async #isLarge(id: ContextId): Promise<boolean> {
    const { head } = await this.reader.projected(id, { keys: [], bodies: false }, {});
    return head !== undefined && isLarge(head);
  }

  #remember(name: string, lookedUp: number): void {
    this.#known.delete(name);
    this.#known.set(name, lookedUp);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > mostRemembered) this.#known.delete(oldest);
  }
}

/** What a fork or a restore has of others is not in its own figures. */
function isLarge({ bytes, version, lineage }: ContextHead): boolean {
  return bytes > largeBytes || version > largeVersion || lineage !== null;
}

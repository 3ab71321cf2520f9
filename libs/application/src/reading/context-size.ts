import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

import { type ContextHead, ContextReader } from '#read-models';

import { reaches } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';

/** Reading all of a context takes some hundredths of a second from here on. */
const largeBytes = 512 * 1024;
const largeVersion = 500;
/** A context cannot grow much in so many milliseconds. */
const rememberedMs = 5_000;
const mostRemembered = 10_000;

/**
 * Whether a context is so large that reading all of it would keep others waiting; false if it is not there or not within
 * reach, which nobody may tell apart by how long an answer takes.
 */
export class IsLargeContextQuery extends Query<boolean> {
  constructor(
    readonly principal: Principal,
    readonly contextId: string,
  ) {
    super();
  }
}

type Known = Readonly<{
  /** What of a large context decides who reaches it; undefined if it is not large. */
  large: Pick<ContextHead, 'contextId' | 'workflowId' | 'parent'> | undefined;
  until: number;
}>;

/** A context stays large; whether a small one has grown is looked up again after some seconds. */
@QueryHandler(IsLargeContextQuery)
export class IsLargeContextHandler implements IQueryHandler<IsLargeContextQuery> {
  readonly #known = new Map<string, Known>();

  constructor(@Inject(ContextReader) private readonly reader: ContextReader) {}

  async execute({ principal, contextId }: IsLargeContextQuery): Promise<boolean> {
    const { workspace } = principal;
    const name = `${workspace}:${contextId}`;
    const remembered = this.#known.get(name);
    const isFresh = remembered !== undefined && performance.now() < remembered.until;
    const { large } = isFresh ? remembered : await this.#lookUp(name, { workspace, contextId });
    return large !== undefined && reaches(principal, large);
  }

  async #lookUp(name: string, id: Pick<ContextHead, 'workspace' | 'contextId'>): Promise<Known> {
    const { head } = await this.reader.projected(id, { keys: [], bodies: false }, {});
    const known: Known =
      head && isLarge(head)
        ? { large: head, until: Infinity }
        : { large: undefined, until: performance.now() + rememberedMs };
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > mostRemembered) this.#known.delete(oldest);
    return known;
  }
}

/** What a fork or a restore has of others is not in its own figures. */
function isLarge({ bytes, version, lineage }: ContextHead): boolean {
  return bytes > largeBytes || version > largeVersion || lineage !== null;
}

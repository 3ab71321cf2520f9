import { DomainError } from '#event-sourcing';

/**
 * The versions of one write: those after `before`, up to and including `end`. `before` is null if the write created the
 * context.
 */
export type AppendRange = Readonly<{ before: number | null; end: number }>;

/** A request names a version inside one write; the context never had that state for any reader. */
export class InsideAppendError extends DomainError<'inside-append'> {
  readonly code = 'inside-append';

  constructor(
    readonly version: number,
    { before, end }: AppendRange,
  ) {
    const beginning = before === null ? 'begins the context' : `begins after version ${before}`;
    const instead = before === null ? `version ${end}` : `version ${before} or ${end}`;
    super(
      `version ${version} is inside one write, which ${beginning} and ends with version ${end}: name ${instead} instead`,
      { details: { before, end } },
    );
  }
}

import { DomainError } from '#event-sourcing';

/** The versions that a write has stored, from behind `before` to `end`; `before` is null if the context begins with it. */
export type AppendRange = Readonly<{ before: number | null; end: number }>;

/** Names a version inside one write: nobody has ever met the context like that. */
export class InsideAppendError extends DomainError<'inside-append'> {
  readonly code = 'inside-append';

  constructor(
    readonly version: number,
    { before, end }: AppendRange,
  ) {
    const beginning = before === null ? 'begins the context' : `begins behind version ${before}`;
    const instead = before === null ? `version ${end}` : `version ${before} or ${end}`;
    super(
      `version ${version} is inside one write, which is one moment: it ${beginning} and ends with version ${end}: name ${instead} instead`,
      { details: { before, end } },
    );
  }
}

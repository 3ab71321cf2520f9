import { handoverSource, reworkSource } from './focus.js';
import { type Contents, viewSource } from './view-source.js';

type Focus =
  | Readonly<{ on: 'handover'; agent: string | null; since: number | null }>
  | Readonly<{ on: 'rework'; subject: string }>
  | Readonly<{ on: 'retrospective' }>;

/** An item that a view without sections and focus would show. */
type OmittedItem = Readonly<{ ref: string; version: number }>;

/** Items that a view omits because of its requested sections or its focus, oldest first. */
export function omittedByChoice(contents: Contents, focus: Focus | null): readonly OmittedItem[] {
  const shown = new Set(refsIn(chosen(contents, focus)).map(({ ref }) => ref));
  return refsIn(viewSource({ ...contents, sections: undefined }))
    .filter(({ ref }) => !shown.has(ref))
    .toSorted((left, right) => left.version - right.version);
}

function chosen(contents: Contents, focus: Focus | null) {
  if (focus?.on === 'handover') return handoverSource(contents, focus);
  if (focus?.on === 'rework') return reworkSource(contents, focus.subject);
  // A retrospective also shows children, which are not items of the context.
  return viewSource(contents);
}

function refsIn({ timeline, currentState }: ReturnType<typeof viewSource>): readonly OmittedItem[] {
  return [...timeline.entries, ...currentState].flatMap(({ ref, version }) =>
    ref === null ? [] : [{ ref, version }],
  );
}

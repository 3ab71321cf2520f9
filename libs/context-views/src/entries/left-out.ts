import { handoverSource, reworkSource } from './focus.js';
import { type Contents, viewSource } from './view-source.js';

type Focus =
  | Readonly<{ on: 'handover'; agent: string | null; since: number | null }>
  | Readonly<{ on: 'rework'; subject: string }>
  | Readonly<{ on: 'retrospective' }>;

/** What a view without sections and focus would tell. */
export type Untold = Readonly<{ ref: string; version: number }>;

/** What a view does not tell of because it was asked for sections or for one purpose, oldest first. */
export function leftOutByChoice(contents: Contents, focus: Focus | null): readonly Untold[] {
  const told = new Set(refsIn(chosen(contents, focus)).map(({ ref }) => ref));
  return refsIn(viewSource({ ...contents, sections: undefined }))
    .filter(({ ref }) => !told.has(ref))
    .toSorted((left, right) => left.version - right.version);
}

function chosen(contents: Contents, focus: Focus | null) {
  if (focus?.on === 'handover') return handoverSource(contents, focus);
  if (focus?.on === 'rework') return reworkSource(contents, focus.subject);
  // A retrospective tells of children beside what there is.
  return viewSource(contents);
}

function refsIn({ timeline, standing }: ReturnType<typeof viewSource>): readonly Untold[] {
  return [...timeline.entries, ...standing].flatMap(({ ref, version }) =>
    ref === null ? [] : [{ ref, version }],
  );
}

/** Versions that one page of the timeline holds. */
const pageSize = 100;

/** A page of the timeline: the versions from `after` + 1 to `until`. */
export type EventPage = Readonly<{ after: number; until: number }>;

/** The pages that hold the versions from `first` to `last`. The page of the newest version ends with it. */
export function pagesOf(first: number, last: number, newest: number): readonly EventPage[] {
  const pages: EventPage[] = [];
  for (let after = startOf(first); after < Math.min(last, newest); after += pageSize)
    pages.push({ after, until: Math.min(after + pageSize, newest) });
  return pages;
}

function startOf(version: number): number {
  return Math.floor((Math.max(version, 1) - 1) / pageSize) * pageSize;
}

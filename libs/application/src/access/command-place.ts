/**
 * Where in a request the payload of a command stands, as RFC 6901. `keyed`: it is the value of a member that is named by its
 * id, so that a fault of any part of the payload points at the member.
 */
type CommandPlace = Readonly<{ at: string; keyed?: boolean | undefined }>;

/** Where the commands of a write are in its request: at `places`, by index, or in the list of events of a `batch`. */
export type CommandPlaces = Readonly<{
  batch?: boolean | undefined;
  places?: readonly (CommandPlace | undefined)[] | undefined;
}>;

/** The place in the request of what `pointer` names in the payload of the command with this index. */
export function pointerInRequest(
  { batch = false, places }: CommandPlaces,
  index: number,
  pointer: string,
): string {
  const place = places?.[index] ?? (batch ? { at: `/events/${index}/data` } : undefined);
  if (!place) return pointer;
  return place.keyed ? place.at : place.at + pointer;
}

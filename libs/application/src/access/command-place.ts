/**
 * The pointer (RFC 6901) to the payload of a command in a request. `keyed`: the payload is the value of a member whose name is
 * its id, so that a fault in any part of the payload points to that member.
 */
type CommandPointer = Readonly<{ at: string; keyed?: boolean | undefined }>;

/** Pointers to the commands of a write: `places` by index of the command, or the list of events of a `batch`. */
export type CommandPlaces = Readonly<{
  batch?: boolean | undefined;
  places?: readonly (CommandPointer | undefined)[] | undefined;
}>;

/** Converts a pointer into the payload of the command with this index to a pointer into the request. */
export function pointerInRequest(
  { batch = false, places }: CommandPlaces,
  index: number,
  pointer: string,
): string {
  const place = places?.[index] ?? (batch ? { at: `/events/${index}/data` } : undefined);
  if (!place) return pointer;
  return place.keyed ? place.at : place.at + pointer;
}

import { type SearchedMember, memberDefinitions } from '#shared-context';

/** The searched members of a document, as their features define them. */
export const searchedMembers: Readonly<Record<string, SearchedMember>> = Object.fromEntries(
  Object.entries(memberDefinitions).flatMap(([name, { searched }]) =>
    searched ? [[name, searched]] : [],
  ),
);

/** Undefined for members that are not searched, including inherited property names. */
export function searchedMember(name: string): SearchedMember | undefined {
  return Object.hasOwn(searchedMembers, name) ? searchedMembers[name] : undefined;
}

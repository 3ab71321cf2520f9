import { type SearchedMember, memberDefinitions } from '#shared-context';

/** What is searched of a document, as the features define its members. */
export const searchedMembers: Readonly<Record<string, SearchedMember>> = Object.fromEntries(
  Object.entries(memberDefinitions).flatMap(([name, { searched }]) =>
    searched ? [[name, searched]] : [],
  ),
);

/** Undefined for members that are not searched, inherited names among them. */
export function searchedMember(name: string): SearchedMember | undefined {
  return Object.hasOwn(searchedMembers, name) ? searchedMembers[name] : undefined;
}

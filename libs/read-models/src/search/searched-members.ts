/**
 * How a member of the document is put together: of the `creation` or the `life` of a context; a `map` of one entry an
 * item by its name; a `list` of one entry an item; an object of such `lists`.
 */
type MemberShape = 'creation' | 'life' | 'map' | 'list' | 'lists';

export type SearchedMember = Readonly<{
  shape: MemberShape;
  /** Whether names within say something, as in free JSON; elsewhere they are the contract's. */
  named?: boolean;
  /** Members of an entry that follow from other items too, and so are not searched. */
  except?: readonly string[];
  /** Of `lists`: their names. */
  lists?: readonly string[];
}>;

/**
 * What is searched of a document. What is worked out from many items (current state, metrics, agents) or from outside
 * (children, sizes, versions) is not.
 */
export const searchedMembers: Readonly<Record<string, SearchedMember>> = {
  title: { shape: 'creation' },
  createdAt: { shape: 'creation' },
  createdBy: { shape: 'creation' },
  parent: { shape: 'creation' },
  continues: { shape: 'creation' },
  metadata: { shape: 'creation', named: true },
  workflow: { shape: 'creation' },
  input: { shape: 'creation', named: true },
  status: { shape: 'life' },
  globalContext: { shape: 'map', named: true },
  userPreferences: { shape: 'map', named: true },
  stepOutputs: { shape: 'map', named: true },
  derived: { shape: 'map' },
  iterationCounts: { shape: 'map' },
  circuitBreakers: { shape: 'map' },
  tasks: { shape: 'list' },
  decisionHistory: { shape: 'list', except: ['stale', 'stalePath', 'stalePathLength'] },
  artifactReferences: { shape: 'list' },
  handoverNotes: { shape: 'list' },
  inputRequests: { shape: 'list' },
  completedPhases: { shape: 'list', except: ['iterations'] },
  reviewHistory: { shape: 'list' },
  openIssues: { shape: 'list' },
  requirements: { shape: 'list' },
  risks: { shape: 'list' },
  dependencies: { shape: 'lists', lists: ['external', 'internal', 'blockers'] },
  records: { shape: 'list' },
  signals: { shape: 'list' },
  summaries: { shape: 'list' },
};

/** Undefined for members that are not searched, inherited names among them. */
export function searchedMember(name: string): SearchedMember | undefined {
  return Object.hasOwn(searchedMembers, name) ? searchedMembers[name] : undefined;
}

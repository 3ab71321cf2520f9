import { type AdrLink, type AdrRelation } from './adr-links.js';
import { type IdentifiedRecord, RecordIndex } from './adr-set.js';
import { type AdrStatus } from './adr-status.js';

/** A record whose links are resolved to decisions. */
export type ResolvedRecord = Readonly<{
  record: IdentifiedRecord;
  status: AdrStatus;
  supersedes?: string | undefined;
  related: readonly RelatedRecord[];
  faults: readonly LinkFault[];
}>;

type RelatedRecord = Readonly<{
  decisionId: string;
  relation: 'relates' | 'requires' | 'enables';
}>;

/** A link or a status that is not imported as it is stated. */
type LinkFault = Readonly<{ line: number; detail: string; kind: 'text' | 'changed' }>;

/**
 * Orders records so that each is after the one that it supersedes. A decision supersedes at most one other and is
 * superseded at most once; further statements become relations, with a fault. Takes time in proportion to records and
 * links.
 */
export function resolveRecords(records: readonly IdentifiedRecord[]): ResolvedRecord[] {
  return new Resolver(records).resolve();
}

type Link = Readonly<{ from: string; to: string; relation: AdrRelation; line: number }>;

class Resolver {
  readonly #records: ReadonlyMap<string, IdentifiedRecord>;
  readonly #index: RecordIndex;
  /** From each new decision to the one it supersedes, and the reverse. */
  readonly #supersedes = new Map<string, string>();
  readonly #supersededBy = new Map<string, string>();
  readonly #related = new Map<string, Map<string, RelatedRecord>>();
  readonly #faults = new Map<string, LinkFault[]>();

  constructor(records: readonly IdentifiedRecord[]) {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#index = new RecordIndex(records);
  }

  resolve(): ResolvedRecord[] {
    const links = [...this.#records.values()].flatMap((record) => this.#linksOf(record));
    for (const link of links) if (link.relation === 'superseded-by') this.#replace(link, link);
    for (const link of links)
      if (link.relation === 'supersedes') this.#replace({ from: link.to, to: link.from }, link);
    for (const link of links) this.#relate(link);
    this.#breakCycles();
    return this.#ordered().map((record) => this.#resolved(record));
  }

  #linksOf(record: IdentifiedRecord): Link[] {
    return record.links.flatMap((link) => {
      const to = this.#index.find(link);
      if (to === undefined && isNamed(link)) this.#fault(record.id, missing(link));
      if (to === undefined || to === record.id) return [];
      return [{ from: record.id, to, relation: link.relation, line: link.line }];
    });
  }

  /** `from` is the decision that `to` supersedes; `stated` is the link that states this. */
  #replace({ from, to }: Readonly<{ from: string; to: string }>, stated: Link): void {
    if (this.#supersedes.get(to) === from) return;
    const reason = this.#obstacle(from, to);
    if (reason === undefined) {
      this.#supersedes.set(to, from);
      this.#supersededBy.set(from, to);
      return;
    }
    const detail = `"${to}" supersedes "${from}" becomes a relation: ${reason}`;
    this.#fault(stated.from, { line: stated.line, kind: 'changed', detail });
    this.#relateTo(to, from, 'relates');
  }

  #obstacle(from: string, to: string): string | undefined {
    const status = this.#stated(from);
    if (status === 'rejected' || status === 'proposed')
      return `the record of "${from}" has the status ${status}`;
    if (this.#stated(to) === 'rejected') return `"${to}" is rejected`;
    const other = this.#supersededBy.get(from);
    if (other !== undefined) return `"${other}" supersedes it already`;
    const first = this.#supersedes.get(to);
    return first === undefined
      ? undefined
      : `"${to}" supersedes "${first}" already, and can supersede only one decision`;
  }

  /** A record without a status is in force. */
  #stated(id: string): AdrStatus {
    return this.#records.get(id)?.status?.status ?? 'accepted';
  }

  #relate({ from, to, relation }: Link): void {
    if (relation === 'supersedes' || relation === 'superseded-by') return;
    this.#relateTo(from, to, relation);
  }

  #relateTo(from: string, to: string, relation: RelatedRecord['relation']): void {
    const related = this.#related.get(from) ?? new Map<string, RelatedRecord>();
    if (!related.has(to)) related.set(to, { decisionId: to, relation });
    this.#related.set(from, related);
  }

  /** Drops one link of each cycle of decisions that supersede each other. */
  #breakCycles(): void {
    const done = new Set<string>();
    for (const start of this.#records.keys()) {
      const walked = new Set<string>();
      let at: string | undefined = start;
      while (at !== undefined && !done.has(at)) {
        done.add(at);
        walked.add(at);
        const next: string | undefined = this.#supersedes.get(at);
        if (next !== undefined && walked.has(next)) this.#drop(at, next);
        at = next;
      }
    }
  }

  #drop(to: string, from: string): void {
    this.#supersedes.delete(to);
    this.#supersededBy.delete(from);
    this.#relateTo(to, from, 'relates');
    const detail = `"${to}" and "${from}" supersede each other, directly or through others: this link becomes a relation`;
    this.#fault(to, { line: 1, kind: 'changed', detail });
  }

  #ordered(): IdentifiedRecord[] {
    const added = new Set<string>();
    return [...this.#records.values()].flatMap((record) => {
      const chain: IdentifiedRecord[] = [];
      let at: IdentifiedRecord | undefined = record;
      while (at && !added.has(at.id)) {
        added.add(at.id);
        chain.push(at);
        at = this.#records.get(this.#supersedes.get(at.id) ?? '');
      }
      return chain.toReversed();
    });
  }

  #resolved(record: IdentifiedRecord): ResolvedRecord {
    const supersedes = this.#supersedes.get(record.id);
    const related = [...(this.#related.get(record.id)?.values() ?? [])];
    return {
      record,
      status: this.#statusOf(record),
      supersedes,
      related: related.filter(({ decisionId }) => decisionId !== supersedes),
      faults: this.#faults.get(record.id) ?? [],
    };
  }

  /** A decision that another one of the import supersedes was in force before. */
  #statusOf({ id, status }: IdentifiedRecord): AdrStatus {
    const stated = this.#stated(id);
    const successor = this.#supersededBy.get(id);
    if (stated !== 'superseded') return successor === undefined ? stated : 'accepted';
    const place = { line: status?.line ?? 1, kind: 'changed' } as const;
    if (successor === undefined) {
      const detail = 'is recorded as deprecated: no decision of this import can supersede it';
      this.#fault(id, { ...place, detail });
      return 'deprecated';
    }
    const detail = `stays in force until "${successor}", which is proposed, is approved`;
    if (this.#stated(successor) === 'proposed') this.#fault(id, { ...place, detail });
    return 'accepted';
  }

  #fault(id: string, fault: LinkFault): void {
    const faults = this.#faults.get(id) ?? [];
    faults.push(fault);
    this.#faults.set(id, faults);
  }
}

/** A number in a line may mean anything: only links and names of records are reported as missing. */
function isNamed({ target, label, relation }: AdrLink): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return false;
  const isRecord = /\.md(?:$|#)/i.test(target) || /^[A-Z]{2,8}[- ]?#?\d+/.test(label);
  return isRecord || relation === 'superseded-by' || relation === 'supersedes';
}

function missing({ label, target, relation, line }: AdrLink): LinkFault {
  const detail = `the link (${relation}) to "${target || label}" stays text: it leads to no record of this import`;
  return { line, kind: 'text', detail };
}

/** The text of each record by its file name, and of the index. */
export type DecisionRecords = Readonly<{ records: ReadonlyMap<string, string>; index: string }>;

const sections = ['Context', 'Decision', 'What would change our mind'];
const titleLine = /^# (\d+)\. (.+)$/;
const statusLine =
  /^Status: (accepted|(?:amended|superseded) by \[ADR \d{4}\]\([^)]+\).*) \(decided \d{4}-\d{2}-\d{2}\)$/;

type Head = Readonly<{ number: string; title: string; status: string }>;

/** The faults of decision records, one sentence each. */
export function faultsOfRecords({ records, index }: DecisionRecords): readonly string[] {
  return [...records].flatMap(([name, text]) => {
    const head = headOf(text);
    if (!head) return [`${name} has no title with a number, or no status below it`];
    return [
      ...sections
        .filter((section) => !text.includes(`\n## ${section}\n`))
        .map((section) => `${name} has no section ${section}`),
      ...namedIn(head.status)
        .filter((target) => !records.has(target))
        .map((target) => `${name} names ${target}, which does not exist`),
      ...(index.includes(rowOf(name, head))
        ? []
        : [`${name} has no row with its status in the index`]),
      ...oneSided(name, { text, status: head.status }, records),
    ];
  });
}

/** A record that amends another one must be named in the other's status, and the reverse. */
function oneSided(
  name: string,
  { text, status }: Readonly<{ text: string; status: string }>,
  records: ReadonlyMap<string, string>,
): readonly string[] {
  const unnamed = amendedBy(text).filter(
    (target) => !namedIn(headOf(records.get(target) ?? '')?.status ?? '').includes(name),
  );
  const unstated = namedIn(status).filter(
    (target) => records.has(target) && !amendedBy(records.get(target) ?? '').includes(name),
  );
  return [
    ...unnamed.map((target) => `${name} amends ${target}, whose status does not name it`),
    ...unstated.map((target) => `${name} is changed by ${target}, which does not state it`),
  ];
}

/** The records in the line `Amends: …` or `Supersedes: …`. */
function amendedBy(text: string): readonly string[] {
  return namedIn(/^(?:Amends|Supersedes): .*$/m.exec(text)?.[0] ?? '');
}

function headOf(text: string): Head | undefined {
  const [first = '', , third = ''] = text.split('\n');
  const [, number, title] = titleLine.exec(first) ?? [];
  const [, status] = statusLine.exec(third) ?? [];
  return number && title && status ? { number, title, status } : undefined;
}

function namedIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, target = '']) => target);
}

function rowOf(name: string, { number, title, status }: Head): string {
  return `\n| [${number}](${name}) | ${title} | ${status} |\n`;
}

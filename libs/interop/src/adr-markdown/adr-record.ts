import { type JsonObject, type JsonValue, isVisible } from '#event-sourcing';

import { type NamedText } from '../documents/document-format.js';
import { type AdrDocument, type AdrPart, divideDocument } from './adr-document.js';
import { type AdrLink } from './adr-links.js';
import { AdrMetadata, type LocatedStatus } from './adr-metadata.js';
import { type AdrFileName, readFileName } from './adr-names.js';
import { type LabelledText, bodyOf, joinedTexts, plainTitle, withoutNumber } from './adr-text.js';
import { Alternatives } from './alternatives.js';
import { type SectionRole } from './heading-roles.js';
import { onlyJson } from '../json/json-block.js';
import { type YStatement, findYStatement } from './y-statement.js';

/** A section that does not belong to the decision. */
export type OtherSection = Readonly<{ part: AdrPart; text: string }>;

/** A document as a decision record. `isRecord`: false for an index, a template or any other text. */
export type AdrRecord = Readonly<{
  name: string;
  file: AdrFileName;
  divided: AdrDocument;
  isRecord: boolean;
  title: string;
  id?: string | undefined;
  status: LocatedStatus | undefined;
  date?: string | undefined;
  deciders: readonly string[];
  links: readonly AdrLink[];
  decision?: string | undefined;
  rationale?: string | undefined;
  alternatives?: JsonValue | undefined;
  tradeOffs?: JsonValue | undefined;
  /** Members of the metadata that are not part of the decision or of another section. */
  details: JsonObject;
  others: readonly OtherSection[];
}>;

/** A context with more sections than this is unusable; later sections stay text. */
export const maxSections = 50_000;

export function readRecord({ name, text }: NamedText): AdrRecord {
  const file = readFileName(name);
  const divided = divideDocument(text);
  return new RecordReader(name, file, divided).read();
}

type Content = Pick<AdrRecord, 'decision' | 'rationale' | 'alternatives' | 'tradeOffs'>;
type Texts = 'context' | 'decision' | 'consequences';

/** Collects the sections of a document by their roles. */
class RecordReader {
  readonly #metadata = new AdrMetadata();
  readonly #texts: Readonly<Record<Texts, LabelledText[]>> = {
    context: [],
    decision: [],
    consequences: [],
  };
  readonly #alternatives = new Alternatives();
  #alternativesJson: JsonValue | undefined;
  #title = '';
  readonly #others: OtherSection[] = [];

  constructor(
    private readonly name: string,
    private readonly file: AdrFileName,
    private readonly divided: AdrDocument,
  ) {}

  read(): AdrRecord {
    this.#metadata.takeEntries(this.divided.entries);
    for (const part of this.divided.parts) this.#takePart(part);
    const { name, file, divided } = this;
    const content = this.#content();
    const { status, links, deciders, details, id } = this.#metadata;
    return {
      name,
      file,
      divided,
      status,
      links,
      deciders,
      details,
      id,
      title: this.#title,
      date: this.#metadata.date ?? file.date,
      isRecord: this.#isRecord(content),
      ...content,
      others: this.#others,
    };
  }

  #takePart(part: AdrPart): void {
    if (part.kind === 'front-matter') return;
    if (part.kind === 'title') this.#title = plainTitle(part.heading);
    else if (part.kind === 'introduction') this.#takeIntroduction(part);
    else if (part.role === undefined) this.#takeOther(part);
    else this.#sections[part.role](part);
  }

  readonly #sections: Readonly<Record<SectionRole, (part: AdrPart) => void>> = {
    status: (part) => this.#metadata.takeStatus(part),
    date: (part) => this.#metadata.takeText('date', part),
    deciders: (part) => this.#metadata.takeText('deciders', part),
    context: (part) => this.#takeText('context', part),
    drivers: (part) => this.#takeText('context', part),
    rationale: (part) => this.#takeText('context', part),
    decision: (part) => this.#takeText('decision', part),
    consequences: (part) => this.#takeText('consequences', part),
    options: (part) => this.#takeOptions(part),
    'pros-and-cons': (part) => this.#takeOptions(part),
    links: (part) => {
      if (!this.#metadata.takeLinks(part)) this.#takeOther(part);
    },
  };

  #takeIntroduction(part: AdrPart): void {
    const text = this.#metadata.takeIntroduction(part);
    this.#texts.context.push({ label: '', text });
  }

  #takeText(kind: Texts, part: AdrPart): void {
    this.#texts[kind].push({ label: plainTitle(part.heading), text: bodyOf(part) });
  }

  #takeOptions(part: AdrPart): void {
    const json = onlyJson(bodyOf(part));
    if (json === undefined) this.#alternatives.take(part.lines);
    else this.#alternativesJson = json;
  }

  #takeOther(part: AdrPart): void {
    const text = bodyOf(part);
    if (this.#others.length < maxSections && isVisible(text)) this.#others.push({ part, text });
  }

  #content(): Content {
    const stated = joinedTexts(this.#texts.decision);
    const rationale = joinedTexts(this.#texts.context);
    if (stated === undefined) return this.#withoutSection(rationale);
    return { ...this.#effects(findYStatement(stated)), decision: stated, rationale };
  }

  /** Without a section for the decision, only a Y-statement can state it. */
  #withoutSection(rationale = ''): Content {
    const y = findYStatement(rationale);
    const rest = rationale === y?.statement ? '' : rationale;
    return {
      ...this.#effects(y),
      decision: y?.statement,
      rationale: rest === '' ? undefined : rest,
    };
  }

  #effects(y: YStatement | undefined): Pick<Content, 'alternatives' | 'tradeOffs'> {
    return {
      alternatives: this.#alternativesJson ?? this.#alternatives.entries() ?? neglectedIn(y),
      tradeOffs: this.#tradeOffs() ?? y?.accepted,
    };
  }

  #tradeOffs(): JsonValue | undefined {
    const effects = joinedTexts(this.#texts.consequences);
    return effects === undefined ? undefined : (onlyJson(effects) ?? effects);
  }

  /**
   * Whether the document is a record: it has a decision, a status, or a number or date in its file name, and its name
   * does not say otherwise.
   */
  #isRecord({ decision }: Content): boolean {
    const isOther = /template|^(?:index|toc|log|changelog|contributing)$/i.test(this.file.stem);
    if (isOther || this.#title + this.#texts.decision.join('') === '') return false;
    const { digits, date } = this.file;
    return (
      decision !== undefined || this.#metadata.status !== undefined || digits + (date ?? '') !== ''
    );
  }
}

function neglectedIn(y: YStatement | undefined): JsonValue | undefined {
  return y?.neglected === undefined ? undefined : [{ option: y.neglected }];
}

/** The title of a record without its number. */
export function nameOf({ title, file }: AdrRecord): string {
  const [first = '', ...words] = title.split(' ');
  const isNumber = /^\d{1,6}$/.test(first) && Number(first) === Number(file.digits);
  return (isNumber ? words.join(' ') : withoutNumber(title)) || title || file.stem;
}

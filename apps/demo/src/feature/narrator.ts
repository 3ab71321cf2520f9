import {
  type Conflict,
  contextPath,
  type Request,
  type StoredEvent,
  type WriteResult,
} from '../server/demo-client.js';
import { excerpt, jsonExcerpt } from '../terminal/excerpt.js';
import { type Terminal } from '../terminal/terminal.js';
import { type Player } from './cast.js';
import { shownDecision, type ShownDecision, shownDocument, type ShownDocument } from './shown.js';

const nameWidth = 14;
const textWidth = 96;

/** Sends requests of players about one context, and prints the answers of the server. */
export class Narrator {
  #act = 0;

  constructor(
    private readonly terminal: Terminal,
    readonly contextId: string,
  ) {}

  act(title: string): void {
    this.terminal.write(`\n${(this.#act += 1)}. ${title}`);
  }

  line(who: string, text: string): void {
    this.terminal.write(`  ${who.padEnd(nameWidth)} ${text}`);
  }

  async write(player: Player, request: Request): Promise<WriteResult> {
    const written = await player.client.write(this.#below(request));
    this.wrote(player, request, written);
    return written;
  }

  /** Returns the answer to a conditional write: the stored events, or a conflict with the missed events. */
  writeIfCurrent(player: Player, request: Request): Promise<WriteResult | Conflict> {
    return player.client.writeIfCurrent(this.#below(request));
  }

  wrote({ name }: Player, { body }: Request, { events, version, decisionId }: WriteResult): void {
    const types = events.map(({ type }) => type).join(', ') || 'nothing new';
    const id = decisionId === undefined ? '' : ` ${decisionId}`;
    this.line(name, `wrote ${types}${id}, the context is at version ${version}`);
    if (body !== undefined) this.line('', `  ${jsonExcerpt(body, textWidth)}`);
  }

  /** Reads and prints the document for a player. */
  async read(player: Player): Promise<ShownDocument> {
    const document = await player.client.read(shownDocument, contextPath(this.contextId));
    this.line(player.name, `reads the document: version ${document._version}, ${document.status}`);
    for (const [name, value] of Object.entries({
      ...(isEmpty(document.globalContext) ? {} : { globalContext: document.globalContext }),
      ...document.stepOutputs,
    }))
      this.line('', `  saw ${excerpt(name, 20)}: ${jsonExcerpt(value, textWidth - 20)}`);
    this.decisions(document.decisionHistory);
    return document;
  }

  async readDecisions(player: Player): Promise<readonly ShownDecision[]> {
    const path = contextPath(this.contextId, 'decisions');
    const decisions = await player.client.readAll(shownDecision, path);
    this.line(player.name, 'reads the decisions');
    this.decisions(decisions);
    return decisions;
  }

  decisions(decisions: readonly ShownDecision[]): void {
    for (const { decisionId, status, stale, agentId, decision } of decisions) {
      const state = stale ? `${status}, stale` : status;
      this.line('', `  saw ${decisionId} (${state}) by ${agentId}: ${excerpt(decision, 60)}`);
    }
  }

  events(events: readonly StoredEvent[]): void {
    for (const { version, type, principal, data } of events)
      this.terminal.write(
        `  ${String(version).padStart(3)}  ${type.padEnd(19)} ${principal.padEnd(nameWidth)} ${jsonExcerpt(data, 70)}`,
      );
  }

  #below(request: Request): Request {
    return { ...request, path: `${contextPath(this.contextId)}/${request.path}` };
  }
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

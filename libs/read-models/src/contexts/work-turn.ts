/** Parsing so many characters of JSON takes some ten milliseconds. */
const mostCharacters = 524_288;
/** What a text takes beside its characters, as if it were some more of them. */
const charactersOfEach = 256;

/** Counts the JSON that work has gone through: `isOver` says when the event loop should have its turn. */
export class WorkTurn {
  #characters = 0;

  /** Behind one more text of so many characters. */
  isOver(characters: number): boolean {
    this.#characters += characters + charactersOfEach;
    if (this.#characters < mostCharacters) return false;
    this.#characters = 0;
    return true;
  }
}

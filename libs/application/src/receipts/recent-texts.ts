/** As many characters as are remembered, and what one text may have of them. */
const mostCharacters = 16 * 1_048_576;
const longestText = 1_048_576;

/** The newest texts that cannot be made again, as far as there is room: the least recently used go first. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  remember(hash: string, text: string): void {
    if (text.length > longestText) return;
    this.#forget(hash);
    this.#texts.set(hash, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= mostCharacters) return;
      this.#forget(oldest);
    }
  }

  find(hash: string): string | undefined {
    const text = this.#texts.get(hash);
    if (text !== undefined) this.remember(hash, text);
    return text;
  }

  #forget(hash: string): void {
    const text = this.#texts.get(hash);
    if (text === undefined) return;
    this.#texts.delete(hash);
    this.#characters -= text.length;
  }
}

/** Uses after which a statement gets a name. */
const usesUnnamed = 10
/** Each plan takes tens of kilobytes in each connection. */
const mostNames = 150
const mostCounted = 1000

/**
 * Names frequent statements, because planning takes as long as running most of them; a named one is
 * planned once for each connection.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known || this.#names.size === mostNames) return known
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses <= usesUnnamed) {
      if (this.#uses.size === mostCounted) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    const name = `statement_${this.#names.size}`
    this.#names.set(text, name)
    this.#uses.delete(text)
    return name
  }
}

/** Uses of a statement after which it has a name. */
const usesUnnamed = 10
/** A plan takes each connection tens of kilobytes. */
const mostNames = 150
const mostCounted = 1000

/**
 * Names for what the connections of a pool are asked again and again: under a name each of them
 * parses and plans a statement once, which takes as long as running most of them.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  /** The name of a statement, counting this use; undefined for one that is rarely asked. */
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

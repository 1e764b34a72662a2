import { type } from '#contract/schema.ts'

/** How many entries a page of a list has, as it stands in a query. */
export const pageSize = /* @__PURE__ */ type('string.integer.parse').to('1 <= number <= 50')

/** `nextCursor` of the page before; its list checks that it gave it (`server/db/keyset.ts`). */
export const pageCursor = /* @__PURE__ */ type('1 <= string <= 4000')

/** The part of a list that is asked for. */
export interface PageRequest {
  cursor?: string | undefined
  /** Entries at most; the list's own number unless given. */
  limit?: number | undefined
}

/** One page of a list; `nextCursor` is opaque and null on the last page. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Orders of a list that is in the order of time. */
export const timeSort = /* @__PURE__ */ type("'newest' | 'oldest'")

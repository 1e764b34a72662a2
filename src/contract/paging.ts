import { type } from '#contract/schema.ts'

/** Number of entries on a page of a list, as a query parameter. */
export const pageSize = /* @__PURE__ */ type('string.integer.parse').to('1 <= number <= 50')

/** `nextCursor` of the page before; `server/db/keyset.ts` checks that the list has given it. */
export const pageCursor = /* @__PURE__ */ type('1 <= string <= 4000')

/** The part of a list that is asked for. */
export interface PageRequest {
  cursor?: string | undefined
  /** Entries at most; the list's own number unless given. */
  limit?: number | undefined
}

/** A page of a list; `nextCursor` is opaque and null on the last page. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Sort orders by time. */
export const timeSort = /* @__PURE__ */ type("'newest' | 'oldest'")

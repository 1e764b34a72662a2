import { type } from '#contract/schema.ts'

/** Number of entries on a page of a list, as a query parameter. */
export const pageSize = /* @__PURE__ */ type('string.integer.parse').to('1 <= number <= 50')

/** One page of a list; `nextCursor` is opaque and null on the last page. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Sort orders by time. */
export const timeSort = /* @__PURE__ */ type("'newest' | 'oldest'")

import { type } from '#contract/schema.ts'

/** How many entries a page of a list has, as it stands in a query. */
export const pageSize = /* @__PURE__ */ type('string.integer.parse').to('1 <= number <= 50')

/** One page of a list; `nextCursor` is opaque and null on the last page. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Orders of a list that is in the order of time. */
export const timeSort = /* @__PURE__ */ type("'newest' | 'oldest'")

import { type } from '#shared/schema.ts'

export const pageSize = /* @__PURE__ */ type('string.integer.parse').to('1 <= number <= 50')

/** `server/db/keyset.ts` checks that the list has issued the cursor. */
export const pageCursor = /* @__PURE__ */ type('1 <= string <= 4000')

/** Fields of every list's query. */
export const pageFields = { 'cursor?': pageCursor, 'limit?': pageSize } as const

export interface PageRequest {
  cursor?: string | undefined
  /** Maximum number of entries; the list's default if absent. */
  limit?: number | undefined
}

/** `nextCursor` is opaque and null on the last page. */
export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

export const timeSort = /* @__PURE__ */ type("'newest' | 'oldest'")

import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

/** What a list shows, as its address says it: filters, order and place. */
export interface ListAddress {
  params: Record<string, string>
  /**
   * Sets filters or the order; an empty value takes one away. The list then begins at its first
   * page.
   */
  change(values: Record<string, string | undefined>): void
  /** The address with other values, from the first page on. */
  href(values: Record<string, string | undefined>): string
  /** Goes on to the page that begins after the cursor. */
  next(cursor: string): void
  /** Goes back a page, or to the first one where nothing is known of the one before. */
  back: (() => void) | undefined
}

/**
 * A list's search, filters, order and page are kept in its address, so that a link, a reload and
 * the way back show the same.
 */
export function useListAddress(): ListAddress {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const params = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const addressOf = useCallback(
    (values: Record<string, string | undefined>) => {
      const next = new URLSearchParams(search)
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      const text = next.toString()
      return text === '' ? path : `${path}?${text}`
    },
    [path, search],
  )
  const href = (values: Record<string, string | undefined>) => addressOf({ cursor: undefined, ...values })
  return {
    params,
    href,
    change: (values) => navigate(href(values), { replace: true }),
    next: (cursor) => navigate(addressOf({ cursor }), { state: { paged: true } }),
    back:
      params.cursor === undefined
        ? undefined
        : () => {
            if ((history.state as { paged?: boolean } | null)?.paged) history.back()
            else navigate(href({}))
          },
  }
}

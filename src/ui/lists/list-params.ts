import { useLocation, useSearch } from 'wouter'

/**
 * What a list shows (search, filters, order and page) stands in the address, so that a link, a
 * reload and the way back show the same.
 */
export function useListParams() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const params: Record<string, string> = Object.fromEntries(new URLSearchParams(search))
  const addressOf = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    return next.size === 0 ? path : `${path}?${next}`
  }
  /** The address with other values, from the first page on; an empty value takes one away. */
  const href = (values: Record<string, string | undefined>) => addressOf({ cursor: undefined, ...values })
  const back = () => {
    if ((history.state as { paged?: boolean } | null)?.paged) history.back()
    else navigate(href({}))
  }
  return {
    params,
    href,
    change: (values: Record<string, string | undefined>) => navigate(href(values), { replace: true }),
    /** Goes on to the page that begins after the cursor. */
    next: (cursor: string) => navigate(addressOf({ cursor }), { state: { paged: true } }),
    /** Goes back a page, or to the first one where nothing is known of the one before. */
    back: params.cursor === undefined ? undefined : back,
  }
}

import { useLocation, useSearch } from 'wouter'

/**
 * List state (search, filters, order, page) in the address, so that links, reloads and the back
 * button restore it.
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
  /** Address with changed values on the first page; an empty value removes the parameter. */
  const href = (values: Record<string, string | undefined>) => addressOf({ cursor: undefined, ...values })
  const back = () => {
    if ((history.state as { paged?: boolean } | null)?.paged) history.back()
    else navigate(href({}))
  }
  return {
    params,
    href,
    change: (values: Record<string, string | undefined>) => navigate(href(values), { replace: true }),
    /** Goes to the page that begins after the cursor. */
    next: (cursor: string) => navigate(addressOf({ cursor }), { state: { paged: true } }),
    /** Goes back a page, or to the first one where the previous is unknown. */
    back: params.cursor === undefined ? undefined : back,
  }
}

import { useLocation, useSearch } from 'wouter'

/** Kept in the address, so that links, reloads and the back button restore it. */
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
  /** Leads to the first page; an empty value removes the parameter. */
  const href = (values: Record<string, string | undefined>) => addressOf({ cursor: undefined, ...values })
  const back = () => {
    if ((history.state as { paged?: boolean } | null)?.paged) history.back()
    else navigate(href({}))
  }
  return {
    params,
    href,
    change: (values: Record<string, string | undefined>) => navigate(href(values), { replace: true }),
    next: (cursor: string) => navigate(addressOf({ cursor }), { state: { paged: true } }),
    /** Leads to the first page where the previous one is unknown. */
    back: params.cursor === undefined ? undefined : back,
  }
}

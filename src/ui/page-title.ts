import { useEffect } from 'react'
import { brandName } from '#contract/brand.ts'

/** The title of the page of this name. */
export const titleOf = (name: string) => `${name} · ${brandName}`

/** Names the page in the tab, the history and for screen readers. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = titleOf(name)
  }, [name])
}

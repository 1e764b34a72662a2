import { useEffect } from 'react'
import { brandName } from '#contract/brand.ts'

export const titleOf = (name: string) => `${name} · ${brandName}`

/** Sets the document title, for the tab, the history and screen readers. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = titleOf(name)
  }, [name])
}

import { useEffect } from 'react'
import { brandName } from '#contract/brand.ts'

/** Names the page in the tab, the history and for screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? brandName : `${title} · ${brandName}`
  }, [title])
}

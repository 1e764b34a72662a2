import { useEffect } from 'react'
import { brandName } from '#shared/brand.ts'

export const titleOf = (name: string) => `${name} · ${brandName}`

export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = titleOf(name)
  }, [name])
}

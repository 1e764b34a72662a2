import { atom, useSetAtom } from 'jotai'
import { useEffect } from 'react'

export const crumbAtom = atom<string | null>(null)

export function useCrumb(name: string | undefined): void {
  const setCrumb = useSetAtom(crumbAtom)
  useEffect(() => {
    setCrumb(name ?? null)
    return () => setCrumb(null)
  }, [name, setCrumb])
}

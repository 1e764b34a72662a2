import { toolRoutes } from 'virtual:tool-routes'
import { useEffect, useState } from 'react'
import { draftedTool } from '#features/generations/app/generations.ts'
import { useUploads } from '#features/uploads/app/uploads.ts'

/**
 * Where somebody who bought credits in the middle of an edit goes on with it; null where no picture
 * waits.
 */
export function useWaitingPhoto(): string | null {
  const [drafted, setDrafted] = useState<string | null>(null)
  useEffect(() => {
    void draftedTool().then(setDrafted)
  }, [])
  const short = useUploads().some(({ state }) => state === 'credits')
  return (drafted === null ? undefined : toolRoutes[drafted]) ?? (short ? '/history' : null)
}

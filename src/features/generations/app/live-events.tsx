import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onUploadSent } from '#app/offline/uploads.ts'
import { balanceQuery } from './balance.ts'
import { listenToEvents } from './events.ts'
import { rememberGeneration } from './queries.ts'

let listeners = 0
let stop: (() => void) | undefined

/** Keeps generations and balance as the server says them, while it is mounted; several of it share one connection. */
export function LiveEvents() {
  const client = useQueryClient()
  useEffect(() => {
    if (listeners++ === 0) {
      const stopEvents = listenToEvents({
        client,
        onCredits: (credits) => {
          client.setQueryData(balanceQuery.queryKey, (known) =>
            known && known.updatedAt <= credits.updatedAt ? { ...known, ...credits } : known,
          )
          void client.invalidateQueries({ queryKey: balanceQuery.queryKey })
        },
      })
      const stopUploads = onUploadSent(({ generation }) => {
        if (!generation) return
        const { balance, ...view } = generation
        rememberGeneration(client, view)
        client.setQueryData(balanceQuery.queryKey, (known) => known && { ...known, credits: balance })
        void client.invalidateQueries({ queryKey: balanceQuery.queryKey })
      })
      stop = () => {
        stopEvents()
        stopUploads()
      }
    }
    return () => {
      if (--listeners === 0) stop?.()
    }
  }, [client])
  return null
}

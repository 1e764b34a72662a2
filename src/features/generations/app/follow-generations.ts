import type { QueryClient } from '@tanstack/react-query'
import { balanceQuery } from '#features/credits/app/credits.ts'
import { onUploadSent } from '#features/uploads/app/uploads.ts'
import type { GenerationView } from '../types.ts'
import { rememberGeneration } from './queries.ts'
import { isWatched } from './watched.ts'

/**
 * Takes a generation as an event of the server has it; `onFinished` when it ended while nobody
 * looked at it.
 */
export function receiveGeneration(
  client: QueryClient,
  generation: GenerationView,
  onFinished: (generation: GenerationView) => void,
): void {
  rememberGeneration(client, generation)
  if (generation.finishedAt !== null && !isWatched(generation.id)) onFinished(generation)
}

/**
 * The response to an upload may be here before its event, and where no events arrive it is the only
 * one. Returns how to stop.
 */
export function followUploads(client: QueryClient): () => void {
  return onUploadSent(({ generation }) => {
    if (!generation) return
    const { balance, ...view } = generation
    rememberGeneration(client, view)
    client.setQueryData(balanceQuery.queryKey, (known) => known && { ...known, credits: balance })
    void client.invalidateQueries({ queryKey: balanceQuery.queryKey })
  })
}

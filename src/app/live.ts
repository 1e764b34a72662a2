import { i18n } from '@lingui/core'
import { loadPageTexts } from '#client/i18n.ts'
import { queryClient } from '#client/query.ts'
import { refreshOrders, rememberOrder } from '#features/billing/app/queries.ts'
import { balanceQuery } from '#features/credits/app/balance.ts'
import { listenToEvents } from '#features/events/app/listen.ts'
import { followUploads, receiveGeneration } from '#features/generations/app/follow-generations.ts'
import { statusLabels } from '#features/generations/app/labels.ts'
import { refreshGenerations, setEventsArrive } from '#features/generations/app/queries.ts'
import type { GenerationView } from '#features/generations/types.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

/** A result that is older than this needs no notice. */
const recentMs = 60_000
const notified = new Set<string>()

/**
 * Whether the generation ended just now and the person was not notified; rendering an old result
 * again needs no notice.
 */
function needsNotice({ id, finishedAt }: GenerationView): boolean {
  if (notified.has(id) || finishedAt === null || Date.now() - Date.parse(finishedAt) > recentMs) return false
  notified.add(id)
  return true
}

/** The server's events keep what is shown up to date; returns how to stop. */
export async function startLive(): Promise<() => void> {
  await loadPageTexts()
  const notify = (generation: GenerationView) => {
    if (!needsNotice(generation)) return
    const { status } = generation
    if (status === 'succeeded') showSnackbar('success', i18n._(statusLabels(generation)))
    if (status === 'failed') showSnackbar('error', i18n._(statusLabels(generation)))
  }
  const stopUploads = followUploads(queryClient)
  const stopEvents = listenToEvents({
    handlers: {
      generation: (generation) => receiveGeneration(queryClient, generation, notify),
      order: (order) => rememberOrder(queryClient, order),
      credits: () => void queryClient.invalidateQueries({ queryKey: balanceQuery.queryKey, refetchType: 'all' }),
    },
    onConnection: setEventsArrive,
    onGap: () => {
      void refreshGenerations(queryClient)
      void refreshOrders(queryClient)
    },
  })
  return () => {
    stopEvents()
    stopUploads()
  }
}

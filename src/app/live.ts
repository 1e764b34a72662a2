import { serverNow } from '#client/device/server-time.ts'
import { loadPageTexts } from '#client/i18n.ts'
import { queryClient } from '#client/query.ts'
import { refreshOrders, rememberOrder } from '#features/billing/app/api.ts'
import { balanceQuery } from '#features/credits/app/credits.tsx'
import { refreshRequests } from '#features/custom-edits/app/api.ts'
import { listenToEvents } from '#features/events/app/listen.ts'
import { noticeText } from '#features/generations/app/labels.ts'
import { refreshGenerations, rememberGeneration, setEventsArrive } from '#features/generations/app/queries.ts'
import { isWatched } from '#features/generations/app/watched-generations.ts'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { keepSubscription } from '#features/push/app/subscription.ts'
import { onUploadSent } from '#features/uploads/app/send-uploads.ts'
import { sendPendingLogo } from '#tools/ui/logo-query.ts'
import { showSnackbar } from '#ui/snackbar.tsx'

const recentMs = 60_000
const notified = new Set<string>()

/** Rendering an old result again needs no notice. */
function needsNotice({ id, finishedAt }: GenerationView): boolean {
  if (finishedAt === null || isWatched(id) || notified.has(id)) return false
  if (serverNow() - Date.parse(finishedAt) > recentMs) return false
  notified.add(id)
  return true
}

function receiveGeneration(generation: GenerationView): void {
  rememberGeneration(queryClient, generation)
  if (!needsNotice(generation)) return
  const { status } = generation
  const text = noticeText(generation, window.location.pathname)
  if (status === 'succeeded') showSnackbar('success', text)
  if (status === 'failed') showSnackbar('error', text)
}

/**
 * The response to an upload may arrive before its event; without an event stream it is the only
 * signal.
 */
function receiveSent(generation: unknown): void {
  if (!generation) return
  const { balance, ...view } = generation as GenerationCreated
  rememberGeneration(queryClient, view)
  queryClient.setQueryData(balanceQuery.queryKey, (known) => known && { ...known, credits: balance })
  void queryClient.invalidateQueries({ queryKey: balanceQuery.queryKey })
}

export async function startLive(): Promise<() => void> {
  await loadPageTexts()
  const stopUploads = onUploadSent(receiveSent)
  const stopEvents = listenToEvents({
    handlers: {
      generation: receiveGeneration,
      order: (order) => rememberOrder(queryClient, order),
      credits: () => void queryClient.invalidateQueries({ queryKey: balanceQuery.queryKey, refetchType: 'all' }),
      customEdits: () => refreshRequests(queryClient),
    },
    onConnection: setEventsArrive,
    onGap: () => {
      void refreshGenerations(queryClient)
      void refreshOrders(queryClient)
    },
  })
  const stopPush = keepSubscription()
  const stopLogo = sendPendingLogo()
  return () => {
    stopLogo()
    stopPush()
    stopEvents()
    stopUploads()
  }
}

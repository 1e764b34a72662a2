import { i18n } from '@lingui/core'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { followBalance, rememberBalance } from '#features/credits/app/queries.ts'
import type { GenerationView } from '#features/generations/contract.ts'
import { loadPageTexts } from './i18n.ts'
import { queryClient } from './query.ts'
import { isAuthenticatedAtom } from './session.ts'
import { showSnackbar } from './snackbar.tsx'

const newsMs = 60_000
const told = new Set<string>()

/** Whether the generation ended just now and nobody was told; drawing an old result again is no news. */
function isNews({ id, finishedAt }: GenerationView): boolean {
  if (told.has(id) || finishedAt === null || Date.now() - Date.parse(finishedAt) > newsMs) return false
  told.add(id)
  return true
}

async function listen(): Promise<() => void> {
  const [{ listenToEvents }, { statusWords }] = await Promise.all([
    import('#features/generations/app/events.ts'),
    import('#features/generations/app/words.ts'),
    loadPageTexts(),
  ])
  return listenToEvents({
    client: queryClient,
    onCredits: (credits) => rememberBalance(queryClient, credits),
    onFinished: (generation) => {
      if (!isNews(generation)) return
      if (generation.status === 'succeeded') showSnackbar('success', i18n._(statusWords.succeeded))
      if (generation.status === 'failed') showSnackbar('error', i18n._(statusWords.failed))
    },
  })
}

/** While somebody is signed in, the server's events keep what is shown up to date. */
export function Live() {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  useEffect(() => followBalance(queryClient), [])
  useEffect(() => {
    if (!signedIn) return
    // Without the code (offline, not cached yet) polling does until the next start.
    const listening = listen().catch(() => undefined)
    return () => void listening.then((stop) => stop?.())
  }, [signedIn])
  return null
}

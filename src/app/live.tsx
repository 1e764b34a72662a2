import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { followBalance, rememberBalance } from '#features/credits/app/queries.ts'
import { queryClient } from './query.ts'
import { isAuthenticatedAtom } from './session.ts'

/** While somebody is signed in, the server's events keep what is shown up to date. */
export function Live() {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  useEffect(() => followBalance(queryClient), [])
  useEffect(() => {
    if (!signedIn) return
    let stop: (() => void) | undefined
    let gone = false
    void import('#features/generations/app/events.ts').then(
      ({ listenToEvents }) => {
        if (gone) return
        stop = listenToEvents({
          client: queryClient,
          onCredits: (credits) => rememberBalance(queryClient, credits),
        })
      },
      () => undefined,
    )
    return () => {
      gone = true
      stop?.()
    }
  }, [signedIn])
  return null
}

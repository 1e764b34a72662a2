import { atom } from 'jotai'
import { apiJson } from '#client/api.ts'
import { serverNow } from '#client/device/server-time.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import { store, userAtom } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import type { AgeView, ToldAge } from '../schemas.ts'

export const ageQuery = apiQuery<AgeView>(['account', 'age'], '/api/user/age', { meta: { persist: true } })

type Obstacle = 'year' | 'guardian' | 'adults'

/** Null: the user may go on. */
export function obstacleOf(
  { band, guardian, dueAt }: AgeView,
  adultsOnly: boolean,
  needsYear = adultsOnly,
): Obstacle | null {
  if (band === 'unknown' && (needsYear || (dueAt !== null && Date.parse(dueAt) <= serverNow()))) return 'year'
  if (band === 'minor' && adultsOnly) return 'adults'
  return guardian === 'unnamed' || guardian === 'waiting' ? 'guardian' : null
}

/** The open sheet; `answer` is called once it is closed. */
export const ageSheetAtom = atom<{ adultsOnly: boolean; answer: () => void } | null>(null)

export function closeAgeSheet(): void {
  store.get(ageSheetAtom)?.answer()
  store.set(ageSheetAtom, null)
}

onSignOut('age sheet', closeAgeSheet)

export function openAgeSheet(adultsOnly = false): Promise<void> {
  closeAgeSheet()
  return new Promise((answer) => store.set(ageSheetAtom, { adultsOnly, answer }))
}

/** On a poor line the server decides. */
const standingTimeoutMs = 4000

/**
 * Asks for what is missing before anything is sent, and resolves to true if nothing is. Right after
 * a sign-in the device requests the standing; without an answer the server decides.
 */
export async function ensureAllowedAge({
  adultsOnly = false,
  needsYear = adultsOnly,
}: {
  adultsOnly?: boolean | undefined
  /** Even before the year is due. */
  needsYear?: boolean
}): Promise<boolean> {
  if (store.get(userAtom)?.role !== 'user') return true
  const { queryKey } = ageQuery
  const isAllowed = () => {
    const age = queryClient.getQueryData(queryKey)
    return age === undefined || obstacleOf(age, adultsOnly, needsYear) === null
  }
  if (queryClient.getQueryData(queryKey) && isAllowed()) return true
  // A paused request would block this one.
  await queryClient.cancelQueries({ queryKey })
  const request = queryClient.fetchQuery({ ...ageQuery, staleTime: 0, retry: false }).catch(() => undefined)
  await Promise.race([request, new Promise((end) => setTimeout(end, standingTimeoutMs))])
  if (isAllowed()) return true
  await openAgeSheet(adultsOnly)
  return isAllowed()
}

const remember = (age: AgeView) => queryClient.setQueryData(ageQuery.queryKey, age)

export async function tellBirthYear(birthYear: number, close = false): Promise<ToldAge> {
  const answer = await apiJson<ToldAge>('/api/user/age', { json: { birthYear, close } })
  if (!answer.closed) remember(answer)
  return answer
}

export async function nameGuardian(email: string): Promise<void> {
  remember(await apiJson<AgeView>('/api/user/guardian', { json: { email: email.trim() } }))
}

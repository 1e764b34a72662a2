import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, apiJson } from '#client/api.ts'
import { onlineAtom } from '#client/connection.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { consentsQuery, givenConsent } from '#features/account/app/account.ts'
import { uploadEarly } from '#features/uploads/app/uploads.ts'
import type { InputRef } from '#features/uploads/rules.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import { generationParams, generationsOf, missingInput, picturesOf, takesVideo } from './inputs.ts'
import { forgetEarlyUpload, prepare } from './start-generations.ts'
import { hasPictures, type StudioState } from './studio-state.ts'

export interface PhotoCheck {
  found: PhotoCheckView | null
  current: boolean
  checking: boolean
  /** The problems belong to earlier options; those of the chosen ones are not known yet. */
  rechecking: boolean
  /** In the server's words. */
  refusal: string | null
  /**
   * `checking`: the busy server continues the check; `unchecked`: the check ended without a result.
   */
  busy: 'checking' | 'unchecked' | null
  recheck: () => void
  settled: boolean
  needsConsent: boolean
}

const noCheck: PhotoCheck = {
  found: null,
  current: false,
  checking: false,
  rechecking: false,
  refusal: null,
  busy: null,
  recheck: () => undefined,
  settled: true,
  needsConsent: false,
}

const debounceMs = 600

/**
 * Checks as soon as a generation could start: for signed-in users with the needed consent, and not
 * with data saving. Failures are silent except a busy server, because the generation will report
 * them. Videos are large, so nothing is sent before the user has seen the price.
 */
export function usePhotoCheck(page: AnyToolPage, state: StudioState): PhotoCheck {
  const { definition } = page
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const online = useAtomValue(onlineAtom)
  const wanted =
    definition.checksPhotos !== undefined &&
    !takesVideo(definition) &&
    signedIn &&
    online &&
    hasPictures(state) &&
    !missingInput(definition, state.inputs) &&
    generationsOf(definition, state.inputs).length === 1 &&
    !savesData()
  // Needed without a check too: a user who consented must not be asked again offline.
  const consent = useQuery({ ...consentsQuery, enabled: signedIn && definition.needsConsent !== undefined })
  const agreed =
    !definition.needsConsent ||
    (consent.data !== undefined && givenConsent(consent.data, definition.needsConsent) !== undefined)
  const asked = {
    files: `${picturesOf(state)} ${state.shrink}`,
    params: JSON.stringify(generationParams(page, state, null)),
  }
  const settled = useDebounced(asked, debounceMs)
  const inTime = settled.files === asked.files
  const { data, error, failureReason, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: ['check', definition.id, settled.files, settled.params],
    queryFn: ({ signal }) => check(definition.id, state, JSON.parse(settled.params), signal),
    enabled: wanted && agreed && inTime,
    // The server continues the check, and a retry waits for the same one.
    retry: (failures, failure) => failures < 3 && isBusy(failure),
    retryDelay: 10_000,
    staleTime: Number.POSITIVE_INFINITY,
    // With other options for the same files, earlier findings stay until the next ones arrive.
    placeholderData: (before, query) => (query?.queryKey[2] === settled.files ? before : undefined),
  })
  if (wanted && !agreed && consent.data) return { ...noCheck, needsConsent: true }
  if (!wanted) return noCheck
  if (!agreed || !inTime) return { ...noCheck, settled: consent.isError }
  const current = data !== undefined && !isPlaceholderData && settled.params === asked.params
  return {
    found: data ?? null,
    current,
    checking: isFetching,
    rechecking: !current && data !== undefined && data.problems.length > 0,
    settled: !isFetching && settled.params === asked.params,
    needsConsent: false,
    busy: busyState({ error, failureReason, isFetching }),
    recheck: () => void refetch(),
    refusal: error instanceof ApiError && /^(upload|engine)\./.test(error.code) && error.msg ? error.msg : null,
  }
}

const startWaitMs = 10_000

/**
 * Keeps a start until the check of changed options has answered; other `choices` cancel it. The
 * server checks anyway, so a check that never answers only delays the start.
 */
export function useStartAfterCheck<Start>(
  rechecks: boolean,
  choices: string,
  run: (start: Start, answered: boolean) => void,
): { waits: boolean; wait: (start: Start) => void } {
  const [waiting, setWaiting] = useState<{ start: Start; choices: string } | null>(null)
  const waits = waiting?.choices === choices
  const end = useEffectEvent((answered: boolean) => {
    setWaiting(null)
    if (waiting) run(waiting.start, answered)
  })
  useEffect(() => {
    if (!waits) return
    if (!rechecks) return end(true)
    const timer = setTimeout(() => end(false), startWaitMs)
    return () => clearTimeout(timer)
  }, [waits, rechecks])
  return { waits, wait: (start) => setWaiting({ start, choices }) }
}

const isBusy = (failure: unknown) => failure instanceof ApiError && failure.status === 503

/** Distinguishes a check that is retried from an abandoned one while the server is busy. */
export function busyState({
  error,
  failureReason,
  isFetching,
}: Record<'error' | 'failureReason', unknown> & { isFetching: boolean }): PhotoCheck['busy'] {
  if (isFetching) return isBusy(failureReason) ? 'checking' : null
  return isBusy(error) ? 'unchecked' : null
}

async function check(
  tool: string,
  { inputs, shrink }: Pick<StudioState, 'inputs' | 'shrink'>,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<PhotoCheckView> {
  const refs: Record<string, InputRef[]> = {}
  for (const [name, pictures] of Object.entries(inputs)) {
    for (const picture of pictures) {
      refs[name] = [...(refs[name] ?? []), await uploadForCheck(picture, shrink, signal)]
      signal.throwIfAborted()
    }
  }
  try {
    return await apiJson<PhotoCheckView>(`/api/tools/${tool}/check`, { json: { params, inputs: refs }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'upload.not_found') {
      for (const picture of Object.values(inputs).flat()) forgetEarlyUpload(picture)
    }
    throw error
  }
}

const savesData = () => navigator.connection?.saveData === true

function useDebounced<Value extends object>(value: Value, milliseconds: number): Value {
  const key = JSON.stringify(value)
  const [settled, setSettled] = useState(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key compares by value
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [key, milliseconds])
  return settled
}

/** Uploads a file for the free check; the generation reuses the upload. */
async function uploadForCheck(picture: ChosenPicture, shrink: boolean, signal: AbortSignal): Promise<InputRef> {
  if (picture.output) return { file: picture.output }
  const own = prepare(picture, shrink)
  const { blob, name } = await own.file
  if (!own.begun?.arrived) {
    const onBegun = (uploadUrl: string) => {
      own.begun = { uploadUrl, arrived: false }
    }
    await uploadEarly({ blob, name, begun: own.begun }, { signal, onBegun }).catch((error: unknown) => {
      if (error instanceof ApiError) own.begun = undefined
      throw error
    })
    if (own.begun) own.begun = { ...own.begun, arrived: true }
  }
  return { upload: own.begun?.uploadUrl.split('/').at(-1) ?? '' }
}

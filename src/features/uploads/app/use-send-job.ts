import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { errorText } from '#client/api.ts'
import { onlineAtom } from '#client/connection.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import type { NewJob } from '#upload-queue/store.ts'
import { dismissUpload } from './queue.ts'
import { enqueue, loadSender } from './send-uploads.ts'
import { UploadListSheet } from './upload-list.tsx'
import { refusalText, useJob } from './use-job.ts'

export type JobOutcome = 'arrived' | 'queuedOffline' | 'memoryOnly'

/** Adds one job at a time, and follows it while mounted. */
export function useSendJob(onArrived: () => void) {
  usePreloadSending(useAtomValue(isAuthenticatedAtom))
  const online = useAtomValue(onlineAtom)
  const [id, setId] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<JobOutcome | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { upload, resultId } = useJob(id)
  const state = resultId === null ? (upload?.state ?? 'gone') : 'sent'
  const waits = state === 'sign_in' || (state === 'waiting' && ((upload?.attempts ?? 0) > 0 || !online))
  const message = upload && refusalText(upload)
  const inMemory = upload?.inMemory
  const arrived = useEffectEvent(onArrived)
  useEffect(() => {
    if (id === null) return
    if (state === 'sent') {
      setOutcome('arrived')
      setId(null)
      arrived()
    } else if (state === 'refused') {
      setProblem(message || errorText(null))
      setId(null)
      void dismissUpload(id)
    } else if (state === 'gone') setId(null)
    else if (waits) setOutcome(inMemory ? 'memoryOnly' : 'queuedOffline')
  }, [id, state, waits, message, inMemory])
  return {
    busy: id !== null && outcome === null,
    outcome,
    problem,
    clear() {
      setId(null)
      setOutcome(null)
    },
    async send(job: NewJob) {
      setProblem(null)
      setOutcome(null)
      try {
        setId(await enqueue(job))
      } catch (error) {
        setProblem(errorText(error))
      }
    },
  }
}

/** The connection may be gone when the code is needed. */
export function usePreloadSending(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return
    const parts = () => [loadSender(), UploadListSheet.load(), import('tus-js-client')]
    const timer = setTimeout(() => void Promise.all(parts()).catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [wanted])
}

import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { onlineAtom } from '#client/connection.ts'
import { dismissUpload, enqueueGeneration, useUpload } from '#features/uploads/app/uploads.ts'
import { customEditsQuery } from '../api.ts'
import type { Attachment } from './attachments.tsx'

/**
 * What became of a request: the server has it, the device keeps it until there is a connection, or
 * only this page does.
 */
export type Outcome = 'arrived' | 'kept' | 'held'

/** Puts a request into the queue on the device, and follows it for as long as somebody looks. */
export function useSendRequest() {
  const client = useQueryClient()
  const online = useAtomValue(onlineAtom)
  const [id, setId] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const { upload } = useUpload(id)
  const state = upload?.state
  const tried = (upload?.attempts ?? 0) > 0
  useEffect(() => {
    if (id === null || state === undefined) return
    if (state === 'sent') {
      setOutcome('arrived')
      setId(null)
      void client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
    } else if (state === 'refused') {
      setProblem(upload?.message || new Error('refused'))
      setId(null)
      void dismissUpload(id)
    } else if (state === 'sign_in' || (state === 'waiting' && (tried || !online))) {
      setOutcome(upload?.inMemory ? 'held' : 'kept')
      setId(null)
    }
  }, [id, state, tried, online, upload?.message, upload?.inMemory, client])
  return {
    busy: id !== null,
    outcome,
    problem,
    clear: () => setOutcome(null),
    send: async (params: Record<string, unknown>, attachments: readonly Attachment[]) => {
      setProblem(null)
      try {
        const files = attachments.map(({ file, output }) => ({ name: file.name, blob: file, output }))
        const request = { kind: 'custom_edit', tool: 'customize-edit', params, inputs: { attachments: files } } as const
        setId(await enqueueGeneration({ ...request, price: 0 }))
      } catch (error) {
        setProblem(error)
      }
    },
  }
}

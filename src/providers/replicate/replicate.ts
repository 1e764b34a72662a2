import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Json } from '#shared/schema.ts'
import {
  callService,
  type HostedService,
  type HostedState,
  isContentRefusal,
  ServiceError,
  webhookMaxAgeSeconds,
} from '../hosted/hosted-service.ts'

interface ReplicateOptions {
  token: string
  baseUrl: string
  /** `whsec_…`; without it no webhooks are requested. */
  webhookSecret: string | undefined
  now: () => Date
}

/** Larger pictures are uploaded as files first. */
const maxDataUriBytes = 700_000

export function createReplicate({ token, baseUrl, webhookSecret, now }: ReplicateOptions): HostedService {
  const authorization = `Bearer ${token}`
  const predictions = `${baseUrl}/v1/predictions`
  const one = (id: string) => `${predictions}/${encodeURIComponent(id)}`
  return {
    id: 'replicate',
    async create(target, input, webhook, signal) {
      const named = /^[\w.-]+\/[\w.-]+$/.test(target)
      const asked = webhook && webhookSecret ? { webhook, webhook_events_filter: ['start', 'completed'] } : {}
      const body = JSON.stringify({ ...(named ? {} : { version: target.split(':').at(-1) }), input, ...asked })
      const url = named ? `${baseUrl}/v1/models/${target}/predictions` : predictions
      const headers = { 'content-type': 'application/json' }
      const { id } = (await callService(url, { method: 'POST', body, headers, authorization, signal })) as {
        id?: string
      }
      if (!id) throw new Error('the response has no prediction id')
      return id
    },
    async readState(_target, id, signal): Promise<HostedState> {
      const found = (await callService(one(id), { authorization, signal })) as Record<string, Json>
      const { status, output = null, error } = found
      if (status === 'succeeded')
        return found.data_removed
          ? { state: 'failed', reason: 'its result was deleted before it was fetched', charged: true }
          : { state: 'done', output }
      if (status === 'starting' || status === 'processing') return { state: 'running' }
      const ran = Boolean((found.metrics as { predict_time?: number } | undefined)?.predict_time)
      const reason = String(error ?? status)
      const isRefused = isContentRefusal(reason)
      return { state: isRefused ? 'refused' : 'failed', reason, charged: ran && status !== 'aborted' }
    },
    async cancel(_target, id) {
      await callService(`${one(id)}/cancel`, { method: 'POST', authorization }).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.status !== 404) throw error
      })
    },
    async upload(bytes, contentType, signal) {
      if (bytes.length < maxDataUriBytes) return `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`
      const body = new FormData()
      body.set('content', new Blob([new Uint8Array(bytes)], { type: contentType }), 'picture')
      const made = await callService(`${baseUrl}/v1/files`, { method: 'POST', body, authorization, signal })
      return (made as { urls: { get: string } }).urls.get
    },
    isResult: ({ protocol, hostname, origin }) =>
      origin === new URL(baseUrl).origin || (protocol === 'https:' && /(^|\.)replicate\.delivery$/.test(hostname)),
    async readWebhook({ headers, body }) {
      const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
        (name) => headers.get(`webhook-${name}`) ?? '',
      ) as [string, string, string]
      if (!webhookSecret || !(Math.abs(now().getTime() / 1000 - Number(timestamp)) <= webhookMaxAgeSeconds))
        return undefined
      const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
      const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
      const isTheirs = signatures.split(' ').some((entry) => {
        const [version, given = ''] = entry.split(',')
        const bytes = Buffer.from(given, 'base64')
        return version === 'v1' && bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
      })
      if (!isTheirs) return undefined
      const { id: prediction } = JSON.parse(Buffer.from(body).toString()) as { id?: string }
      return prediction ? { externalId: prediction } : undefined
    },
    check: async () => void (await callService(`${baseUrl}/v1/account`, { authorization })),
  }
}
